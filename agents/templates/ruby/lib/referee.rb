# frozen_string_literal: true

require 'grpc'

require 'arena/wire/v1/referee_service_pb'

# The bot's side of the wire: says hello, and answers every frame with one message. There is nothing to edit here.
module Referee
  # Why there is nothing to play.
  class Error < StandardError; end

  Wire = Arena::Wire::V1
  METHOD = '/arena.wire.v1.RefereeService/Play'
  CHANNEL = {
    'grpc.max_receive_message_length' => 64 << 20,
    'grpc.default_authority' => 'localhost' # a socket path makes a bad :authority header
  }.freeze

  class << self
    # Plays all matches that the referee has for this process; the block returns the index of the action to take.
    def play(&)
      socket, token = %w[ARENA_SOCKET ARENA_TOKEN].map { |name| given(name) }
      call = dial(socket)
      open = sent?(call, hello: { token:, client: 'arena-template-ruby/1' })
      while open && (frame = call.remote_read)
        decisions = answers(frame, &)
        open = sent?(call, decisions: { decisions: }) if decisions.any?
      end
      finish(call)
    end

    private

    # A variable that the referee set for this process; whoever started it otherwise is told how.
    def given(name)
      value = ENV.fetch(name, '')
      return value unless value.empty?

      raise Error, 'this is a bot: start it with `arena match --game GAME --bots FOLDER,random`'
    end

    # A stream to the referee. A stub would write in a thread of its own and, when the referee ends the stream, wait for
    # ever for that thread to end; here one thread reads and writes in turn.
    def dial(socket)
      channel = GRPC::Core::Channel.new("unix:#{socket}", CHANNEL, :this_channel_is_insecure)
      never = GRPC::Core::TimeConsts::INFINITE_FUTURE
      call = channel.create_call(nil, nil, METHOD, nil, never)
      GRPC::ActiveCall.new(call, Wire::PlayRequest.method(:encode), Wire::PlayResponse.method(:decode), never,
                           started: false)
    end

    # Sends a message; false if the stream has ended meanwhile.
    def sent?(call, **message)
      call.remote_send(Wire::PlayRequest.new(message))
      true
    rescue GRPC::Core::CallError
      false
    end

    def finish(call)
      call.receive_and_check_status
    rescue GRPC::BadStatus => e
      raise Error, "the referee ended the stream: #{e.details}"
    end

    # The answers to all questions of a frame.
    def answers(frame)
      frame.messages.filter_map(&:decision_requested).map do |request|
        { match_id: request.match_id, decision: request.decision, action_index: yield(request.observation) }
      end
    end
  end
end
