#!/usr/bin/env bash
# A Slurm of two nodes on loopback in a folder of its own, and a command run on it:
#   unshare -n -p -f --mount-proc --kill-child bash slurm_nodes.sh FOLDER COMMAND...
# Everything listens on this namespace's loopback alone and ends with it.
set -euo pipefail
folder=$1
shift

ip link set lo up
ip address add 198.51.100.1/32 dev lo # Slurm wants an address that is not 127.*
host=$(hostname -s)
mkdir -p "$folder"/{state,spool-n0,spool-n1,log,run}
head -c 1024 /dev/urandom >"$folder/munge.key"
chmod 400 "$folder/munge.key"
munged --force --key-file="$folder/munge.key" --socket="$folder/run/munge.sock" --pid-file="$folder/run/munged.pid" \
  --log-file="$folder/log/munged.log" --seed-file="$folder/run/munge.seed"

cat >"$folder/slurm.conf" <<EOF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=26817
AuthType=auth/munge
AuthInfo=socket=$folder/run/munge.sock
CredType=cred/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool-%n
SlurmctldPidFile=$folder/run/slurmctld.pid
SlurmdPidFile=$folder/run/slurmd-%n.pid
SlurmctldLogFile=$folder/log/slurmctld.log
SlurmdLogFile=$folder/log/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=batch_sched_delay=0,sched_interval=2
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
KillWait=3
NodeName=n[0-1] NodeHostname=$host NodeAddr=127.0.0.1 Port=[26818-26819] CPUs=$(nproc) RealMemory=2000 State=UNKNOWN
PartitionName=test Nodes=n[0-1] Default=YES MaxTime=INFINITE State=UP
EOF
export SLURM_CONF=$folder/slurm.conf
slurmctld
slurmd -N n0
slurmd -N n1
for _ in $(seq 200); do
  [ "$(sinfo --noheader --format=%T 2>/dev/null)" = idle ] && break
  sleep 0.2
done
sinfo >&2
"$@"
