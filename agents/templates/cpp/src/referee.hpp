// The bot's side of the wire; there is nothing to edit here.
#pragma once

#include <cstdint>
#include <functional>

#include <google/protobuf/any.pb.h>

namespace referee {

using Choose = std::function<std::uint32_t(const google::protobuf::Any &observation)>;

// Plays all matches that the referee has for this process; throws std::runtime_error if it cannot.
void play(const Choose &choose);

} // namespace referee
