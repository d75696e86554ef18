#!/bin/sh
# keeper.sh COMMAND...: runs COMMAND and ends it when standard input ends, which is a pipe from the service.
# The pipe closes with the service however it dies, also by SIGKILL, so Solr never outlives it.
# Prints the command's process number; ends with its status. Nobody else may read what the command writes.
umask 077
log=$1
shift
exec 3<&0
"$@" </dev/null >>"$log" 2>&1 3<&- &
command=$!
trap 'kill -TERM "$command" 2>/dev/null' TERM INT HUP
(
  trap - TERM INT HUP
  exec >/dev/null 2>&1
  # The service never writes; read returns at the end of the pipe.
  read -r _ <&3
  kill -TERM "$command"
  seconds=0
  while [ "$seconds" -lt 10 ] && kill -0 "$command"; do
    sleep 1
    seconds=$((seconds + 1))
  done
  kill -KILL "$command"
) &
watcher=$!
echo "$command"
exec 3<&- >/dev/null 2>&1
wait "$command"
status=$?
# A trapped signal ends `wait` early.
while kill -0 "$command" 2>/dev/null; do
  wait "$command"
  status=$?
done
kill "$watcher" 2>/dev/null
exit "$status"
