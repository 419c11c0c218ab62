#!/bin/sh
# The first process of a kernel that has nothing but cgroup2: runs the sandbox's tests as root, and as a plain user to
# whom a group was delegated. The kernel's root folder is the host's, read-only. $CHECKOUT and $PYTHON come from outside.
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/tmp PYTHONDONTWRITEBYTECODE=1
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t cgroup2 cgroup2 /sys/fs/cgroup
mount -t tmpfs tmpfs /tmp -o mode=1777
mount -t tmpfs tmpfs /run
case $CHECKOUT in /tmp/* | /run/*) # it has just been covered
    mkdir -p "$CHECKOUT"
    mount -t hostfs checkout "$CHECKOUT" -o "$CHECKOUT"
    ;;
esac
mount -t devtmpfs dev /dev 2>/dev/null # it may be there already
mkdir -p /dev/shm /dev/pts
mount -t devpts devpts /dev/pts
mount -t tmpfs tmpfs /dev/shm
ln -sfn /proc/self/fd /dev/fd
cd "$CHECKOUT" || exit

run() {
    limits=$1
    shift
    "$@" -m pytest -q --color=no -p no:cacheprovider --timeout 300 tests/sandbox/test_cgroup.py \
        tests/sandbox/test_limits.py -k "not lite and (test_cgroup or $limits)"
    echo "ended with $?"
}

echo "as root:"
run "heap or takes_all_along or fork_bomb or spinners or counted_and_remembered or own_limit or at_rest" "$PYTHON"
ls -d /sys/fs/cgroup/arena* 2>/dev/null

echo "as a plain user:"
echo "+cpu +memory +pids" >/sys/fs/cgroup/cgroup.subtree_control
mkdir /sys/fs/cgroup/scope
chown -R 61500:61500 /sys/fs/cgroup/scope
run "heap or spinners or at_rest or nothing_is_left" "$PYTHON" tests/sandbox/test_plain_user.py /sys/fs/cgroup/scope
ls -d /sys/fs/cgroup/scope/*/ 2>/dev/null

echo "the end"
echo o >/proc/sysrq-trigger
sleep 60
