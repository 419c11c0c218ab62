package mybot;

import arena.wire.v1.RefereeServiceGrpc;
import arena.wire.v1.RefereeServiceOuterClass.Decision;
import arena.wire.v1.RefereeServiceOuterClass.DecisionRequested;
import arena.wire.v1.RefereeServiceOuterClass.Decisions;
import arena.wire.v1.RefereeServiceOuterClass.Hello;
import arena.wire.v1.RefereeServiceOuterClass.Message;
import arena.wire.v1.RefereeServiceOuterClass.PlayRequest;
import arena.wire.v1.RefereeServiceOuterClass.PlayResponse;
import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import io.grpc.ManagedChannel;
import io.grpc.StatusException;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.netty.channel.MultiThreadIoEventLoopGroup;
import io.grpc.netty.shaded.io.netty.channel.nio.NioIoHandler;
import io.grpc.netty.shaded.io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.grpc.netty.shaded.io.netty.util.concurrent.DefaultThreadFactory;
import io.grpc.stub.BlockingClientCall;
import java.net.UnixDomainSocketAddress;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Connects the strategy with the referee; there is nothing to edit here. */
public final class Bot {
  private static final String CLIENT = "arena-template-java/1.0.0";
  private static final int MAX_FRAME_BYTES = 64 << 20;

  // gRPC asks every socket to keep alive; a unix socket knows no such option, and netty warns of
  // it.
  private static final Logger NETTY = Logger.getLogger("io.grpc.netty.shaded.io.netty");

  private Bot() {}

  public static void main(String[] arguments) throws Exception {
    String socket = System.getenv("ARENA_SOCKET");
    String token = System.getenv("ARENA_TOKEN");
    if (socket == null || token == null) {
      fail("this is a bot: start it with `arena match --game GAME --bots FOLDER,random`");
    }
    NETTY.setLevel(Level.SEVERE);
    makeReady(System.getenv("ARENA_GAME"));
    try {
      play(connect(socket), token);
    } catch (StatusException | StatusRuntimeException error) {
      fail("the referee ended the conversation: " + error.getMessage());
    }
  }

  private static void fail(String sentence) {
    System.err.println(sentence);
    System.exit(1);
  }

  /** Loads the classes that the first decision would wait for: until the hello no clock runs. */
  private static void makeReady(String game) throws InvalidProtocolBufferException {
    if (game != null) {
      String type = "/arena.games." + game.replace('-', '_') + ".v1.Observation";
      Strategy.choose(Any.newBuilder().setTypeUrl(type).build());
    }
  }

  private static ManagedChannel connect(String socket) {
    var daemon = new DefaultThreadFactory("connection", true);
    return NettyChannelBuilder.forAddress(UnixDomainSocketAddress.of(socket))
        .channelType(NioDomainSocketChannel.class, UnixDomainSocketAddress.class)
        .eventLoopGroup(new MultiThreadIoEventLoopGroup(1, daemon, NioIoHandler.newFactory()))
        .overrideAuthority("localhost") // a socket path makes a bad :authority header
        .maxInboundMessageSize(MAX_FRAME_BYTES)
        .usePlaintext()
        .build();
  }

  /** Plays all matches that the referee has for this process. */
  private static void play(ManagedChannel channel, String token) throws Exception {
    BlockingClientCall<PlayRequest, PlayResponse> call =
        RefereeServiceGrpc.newBlockingV2Stub(channel).play();
    Hello hello = Hello.newBuilder().setToken(token).setClient(CLIENT).build();
    call.write(PlayRequest.newBuilder().setHello(hello).build());
    for (PlayResponse frame = call.read(); frame != null; frame = call.read()) {
      Decisions decisions = answer(frame);
      if (decisions.getDecisionsCount() > 0) {
        call.write(PlayRequest.newBuilder().setDecisions(decisions).build());
      }
    }
    channel.shutdownNow();
  }

  /** The answers to all questions of a frame. */
  private static Decisions answer(PlayResponse frame) throws InvalidProtocolBufferException {
    Decisions.Builder decisions = Decisions.newBuilder();
    for (Message message : frame.getMessagesList()) {
      if (message.hasDecisionRequested()) {
        decisions.addDecisions(decide(message.getDecisionRequested()));
      }
    }
    return decisions.build();
  }

  private static Decision decide(DecisionRequested asked) throws InvalidProtocolBufferException {
    return Decision.newBuilder()
        .setMatchId(asked.getMatchId())
        .setDecision(asked.getDecision())
        .setActionIndex(Strategy.choose(asked.getObservation()))
        .build();
  }
}
