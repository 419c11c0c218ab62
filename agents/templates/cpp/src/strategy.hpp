// How the bot decides.
#pragma once

#include <cstdint>

#include <google/protobuf/any.pb.h>

// The index of the legal action to take, given an arena.games.<game>.v1.Observation of any game.
std::uint32_t choose(const google::protobuf::Any &observation);
