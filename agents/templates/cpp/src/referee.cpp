#include "referee.hpp"

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>

#include <grpcpp/grpcpp.h>

#include "arena/wire/v1/referee_service.grpc.pb.h"

namespace referee {
namespace {

namespace wire = arena::wire::v1;

constexpr int max_frame_bytes = 64 << 20;

// A variable that the referee set for this process; whoever started it otherwise is told how.
std::string given(const char *name) {
    const char *value = std::getenv(name);
    if (value == nullptr || *value == '\0')
        throw std::runtime_error("this is a bot: start it with `arena match --game GAME --bots FOLDER,random`");
    return value;
}

std::shared_ptr<grpc::Channel> dial(const std::string &socket) {
    grpc::ChannelArguments arguments;
    arguments.SetMaxReceiveMessageSize(max_frame_bytes);
    arguments.SetString(GRPC_ARG_DEFAULT_AUTHORITY, "localhost"); // a socket path makes a bad one
    return grpc::CreateCustomChannel("unix:" + socket, grpc::InsecureChannelCredentials(), arguments);
}

// The answers to all questions of a frame.
wire::PlayRequest answer(const wire::PlayResponse &frame, const Choose &choose) {
    wire::PlayRequest reply;
    for (const auto &message : frame.messages()) {
        if (!message.has_decision_requested())
            continue;
        const auto &request = message.decision_requested();
        auto &decision = *reply.mutable_decisions()->add_decisions();
        decision.set_match_id(request.match_id());
        decision.set_decision(request.decision());
        decision.set_action_index(choose(request.observation()));
    }
    return reply;
}

} // namespace

void play(const Choose &choose) {
    const std::string socket = given("ARENA_SOCKET");
    wire::PlayRequest hello;
    hello.mutable_hello()->set_token(given("ARENA_TOKEN"));
    hello.mutable_hello()->set_client("arena-template-cpp/1");

    const auto service = wire::RefereeService::NewStub(dial(socket));
    grpc::ClientContext context;
    const auto stream = service->Play(&context);

    bool open = stream->Write(hello);
    for (wire::PlayResponse frame; open && stream->Read(&frame);) {
        const wire::PlayRequest reply = answer(frame, choose);
        if (reply.has_decisions())
            open = stream->Write(reply);
    }
    const grpc::Status status = stream->Finish();
    if (!status.ok())
        throw std::runtime_error("the referee ended the stream: " + status.error_message());
}

} // namespace referee
