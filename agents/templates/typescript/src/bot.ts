/** Connects the strategy with the referee; there is nothing to edit here. */

import { credentials } from "@grpc/grpc-js";

import {
  type Decision,
  type DecisionRequested,
  type Message,
  type PlayRequest,
  type PlayResponse,
  RefereeServiceClient,
} from "./gen/arena/wire/v1/referee_service.js";
import { choose } from "./strategy.js";

const CLIENT = "arena-template-typescript/1.0.0";
const MAX_FRAME_BYTES = 64 << 20;

/** Plays all matches that the referee has for this process. */
async function play(socket: string, token: string): Promise<void> {
  const client = new RefereeServiceClient(`unix:${socket}`, credentials.createInsecure(), {
    // A socket path makes a bad :authority header.
    "grpc.default_authority": "localhost",
    "grpc.max_receive_message_length": MAX_FRAME_BYTES,
  });
  const call = client.play();
  const say = (request: PlayRequest): boolean => call.write(request);

  say({ message: { $case: "hello", value: { token, client: CLIENT } } });
  for await (const frame of call as AsyncIterable<PlayResponse>) {
    const decisions = frame.messages.flatMap(answer);
    if (decisions.length > 0) {
      say({ message: { $case: "decisions", value: { decisions } } });
    }
  }
  client.close();
}

/** The answer to a question; nothing to messages that ask none. */
function answer({ message }: Message): Decision[] {
  return message?.$case === "decisionRequested" ? [decide(message.value)] : [];
}

function decide(asked: DecisionRequested): Decision {
  const { matchId, decision, observation } = asked;
  if (observation === undefined) {
    throw new Error(`expected an observation with decision ${decision}`);
  }
  return { matchId, decision, actionIndex: choose(observation) };
}

const { ARENA_SOCKET, ARENA_TOKEN } = process.env;
if (!ARENA_SOCKET || !ARENA_TOKEN) {
  console.error("this is a bot: start it with `arena match --game GAME --bots FOLDER,random`");
  process.exit(1);
}
await play(ARENA_SOCKET, ARENA_TOKEN).catch((error: Error) => {
  // What gRPC reports is a sentence; a fault of the strategy needs its stack.
  console.error("details" in error ? `the referee ended the conversation: ${error.message}` : error);
  process.exit(1);
});
