# frozen_string_literal: true

# Connects the strategy with the referee; there is nothing to edit here.

$LOAD_PATH.unshift("#{__dir__}/lib", "#{__dir__}/stubs")

require 'referee'
require 'strategy'

begin
  Referee.play { |observation| Strategy.choose(observation) }
rescue Referee::Error => e
  abort e.message
end
