#!/bin/sh
# Makes target/bot.jar of proto/ and src/ with nothing but vendor/ and a JDK: so arena builds it, offline.
# `mvn package` makes the same.
set -eu
cd "$(dirname "$0")"
rm -rf target
mkdir -p target/classes target/generated-sources target/protoc/include

# Vendored programs come without the right to run, and protoc knows Google's own messages from a jar.
install -m 755 vendor/protoc-gen-grpc-java-*.exe target/protoc/protoc-gen-grpc-java
install -m 755 vendor/protoc-[0-9]*.exe target/protoc/protoc
(cd target/protoc/include && jar xf ../../../vendor/protobuf-java-[0-9]*.jar google/protobuf)
find proto -name '*.proto' >target/protoc/sources
target/protoc/protoc -Iproto -Itarget/protoc/include \
  --plugin=target/protoc/protoc-gen-grpc-java \
  --java_out=target/generated-sources --grpc-java_out=@generated=omit:target/generated-sources \
  @target/protoc/sources

find src/main/java target/generated-sources -name '*.java' >target/sources
# javac runs for a few seconds only: the compiler and collector of a short life take half the time for it.
javac -J-XX:TieredStopAtLevel=1 -J-XX:+UseSerialGC -proc:none --release 17 -encoding UTF-8 \
  -cp 'vendor/*' -d target/classes @target/sources

{
  echo 'Main-Class: mybot.Bot'
  echo "Class-Path:$(ls vendor/*.jar | sed 's|^|  ../|')"
} >target/manifest
jar cfm target/bot.jar target/manifest -C target/classes .
rm -r target/protoc

# What the JVM learns of classes while it starts: with that archive a bot says hello in half the time. There is no
# referee to talk to here, so this run ends with a complaint, as it should. Its garbage collector must be that of bot.toml.
ARENA_SOCKET=/nowhere ARENA_TOKEN=none ARENA_GAME=party-bugs java -XX:ArchiveClassesAtExit=target/bot.jsa \
  -XX:+UseSerialGC -Xlog:disable -jar target/bot.jar 2>target/rehearsal.log || test -s target/bot.jsa
