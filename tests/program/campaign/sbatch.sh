#!/usr/bin/env bash
# Stands in for sbatch: runs a job at once, the tasks of an array one after the other. The first task
# 1 dies of SIGXFSZ half way, when its store outgrows 20 KiB; $NOTES keeps what it left. A task that
# asked to be requeued runs again.
set -euo pipefail
dependency=none
while [[ $1 == --* ]]; do
    case $1 in --dependency=*) dependency=${1#*=} ;; esac
    shift
done
script=$1
directive() { sed -n "s/^#SBATCH --$1=//p" "$script"; }
output=$(directive output)

run() ( # one run of task $1 after $2 restarts
    export SLURM_ARRAY_JOB_ID=7 SLURM_ARRAY_TASK_ID=$1 SLURM_RESTART_COUNT=$2
    SLURM_CPUS_PER_TASK=$(directive cpus-per-task)
    export SLURM_CPUS_PER_TASK
    if [[ $1 == 1 && ! -e $NOTES/1.sqlite ]]; then ulimit -c 0 -f 20; fi
    exec bash "$script" >>"${output//%a/$1}" 2>&1
)

last=$(directive array)
if [[ -z $last ]]; then
    [[ $dependency == afterok:7 && -e $NOTES/ended-well ]]
    status=0
    run merge 0 || status=$?
    echo "$status" >"$NOTES/merge"
    echo 8
    exit
fi
rm -f "$NOTES/ended-well"
for ((task = 0; task <= ${last#0-}; task++)); do
    if ! run "$task" 0; then
        [[ $(tail -n 1 "$NOTES/scontrol") == "requeue 7_$task" ]]
        cp shards/"$task".sqlite* "$NOTES"
        run "$task" 1
    fi
done
touch "$NOTES/ended-well"
echo "7;cluster"
