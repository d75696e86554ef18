#!/bin/sh
# Downloads the files that are listed at the end. Run it again after any interruption: it goes on where it was.
# It needs a POSIX shell with the usual tools, and curl or wget. "sh FILE -h" shows the options.
#
# The list is data: no name in it is ever executed, and names are escaped for the %b of printf.

# Zsh is no POSIX shell by itself.
[ -z "${ZSH_VERSION:-}" ] || emulate sh
set -u
LC_ALL=C
export LC_ALL

usage() {
  cat <<'USAGE'
usage: sh FILE [options]

  -d FOLDER  the folder for the files (default: the current one)
  -j NUMBER  files that are downloaded at once (default: 4)
  -t FILE    a file of mode 0600 with an access token or a token for scripts
  -f         replace files that exist and differ from the list
  -c         verify again what earlier runs have downloaded
  -n         show what is missing, and download nothing
  -q         show no progress
  -h         show this

Without -t, the token is the value of CLIMATE_NEXTGEN_TOKEN. Public data need none.

Exit status: 0 if all files are there, 1 if some are not or the list is empty, 2 if nothing could begin, 128 + N after
signal N.
USAGE
}

# ---- Texts

say() {
  [ "$quiet" = yes ] && return
  if [ "$terminal" = yes ]; then
    printf '\r\033[K%s' "$1" >&2
  else
    printf '%s\n' "$1" >&2
  fi
}

note() {
  [ "$terminal" = yes ] && [ "$quiet" != yes ] && printf '\r\033[K' >&2
  printf '%s\n' "$1" >&2
}

die() {
  printf 'download: %s\n' "$1" >&2
  exit 2
}

# Sets $text to a number of bytes for people.
human() {
  if [ "$1" -ge 1000000000 ]; then
    text="$(($1 / 1000000000)).$(($1 / 100000000 % 10)) GB"
  elif [ "$1" -ge 1000000 ]; then
    text="$(($1 / 1000000)).$(($1 / 100000 % 10)) MB"
  else
    text="$1 bytes"
  fi
}

# Sets $target to the path of an escaped name. The dot keeps line breaks at the end of a name.
decode() {
  case $1 in
    *\\*)
      target=$(printf '%b.' "$1")
      target=$folder/${target%.}
      ;;
    *) target=$folder/$1 ;;
  esac
}

# ---- Files and checksums

size_of() {
  counted=$(wc -c < "$1") && printf '%s' "$((counted))"
}

# Sets $digits to those of a file's checksum. Status 1: no program computes it; 2: the program fails.
digest() {
  case $1 in
    md5 | sha1 | sha224 | sha256 | sha384 | sha512) ;;
    *) return 1 ;;
  esac
  output=$run/$slot.digest
  if command -v "${1}sum" > /dev/null 2>&1; then
    "${1}sum" < "$2" > "$output" &
  elif [ "$1" != md5 ] && command -v shasum > /dev/null 2>&1; then
    shasum -a "${1#sha}" < "$2" > "$output" &
  elif command -v openssl > /dev/null 2>&1; then
    openssl dgst -r "-$1" < "$2" > "$output" &
  else
    return 1
  fi
  await "$!" || return 2
  read -r digits digits_of < "$output" || return 2
  : "$digits_of"
}

# Compares a file with its entry. Sets $result to ok, or to length if only the length is known; to size, fail or unread, and $reason.
verify() {
  result=unread reason="cannot be read"
  found=$(size_of "$1") || return 1
  if [ "$2" != - ] && [ "$found" -ne "$2" ]; then
    result=size
    reason="has $found bytes, but $2 in the index"
    return 1
  fi
  result=length
  [ "$3" = - ] && return 0
  digest "${3%%:*}" "$1"
  case $? in
    1) return 0 ;;
    2)
      result=unread reason="has a checksum that cannot be computed"
      return 1
      ;;
  esac
  if [ "$digits" = "${3#*:}" ]; then
    result=ok
    return 0
  fi
  result=fail
  reason="has another checksum than in the index"
  return 1
}

# ---- Transfers. $1 address, $2 partial file, $3 file for the headers, $4 bytes of the partial file, $5 entity tag.
# The status is that of the program. If-Range: a file that has changed is sent whole, and never appended.

curl_get() {
  address=$1 into=$2 headers=$3 begin=$4 etag=$5
  set -- -q -sS -f -K - -H 'Accept-Encoding: identity' --connect-timeout 30 --speed-limit 1 --speed-time 300 \
    -D "$headers" -o "$into"
  [ "$begin" -gt 0 ] && set -- "$@" -C "$begin" -H "If-Range: $etag"
  # The token is on standard input: arguments are visible to all users of the machine.
  config=
  [ -n "$token" ] && config="header = \"Authorization: Bearer $token\""
  curl "$@" -- "$address" 2> "$headers.error" <<CONFIG &
$config
CONFIG
  await "$!"
}

wget_get() {
  address=$1 into=$2 headers=$3 begin=$4 etag=$5
  set -- -q -S --tries=1 --timeout=60 --max-redirect=0 --no-netrc '--header=Accept-Encoding: identity'
  rest=$into
  if [ "$begin" -gt 0 ]; then
    rest=$into.rest
    rm -f "$rest"
    set -- "$@" "--start-pos=$begin" "--header=If-Range: $etag"
  fi
  if [ -n "$token" ]; then
    WGETRC=$state/wgetrc wget "$@" -O "$rest" -- "$address" > /dev/null 2> "$headers" &
  else
    wget "$@" -O "$rest" -- "$address" > /dev/null 2> "$headers" &
  fi
  await "$!"
  status=$?
  [ "$begin" -gt 0 ] && absorb "$into" "$headers"
  return "$status"
}

# Appends the rest that wget has fetched, as far as it is not there: an earlier run may have been killed here.
absorb() {
  [ -f "$1.rest" ] || return 0
  if [ "$(http_status "$2")" = 206 ]; then
    range=$(header content-range "$2")
    range=${range#bytes }
    range=${range%%-*}
    there=$(size_of "$1")
    case $range in
      '' | *[!0-9]*) ;;
      *) [ "$there" -ge "$range" ] && tail -c "+$((there - range + 1))" < "$1.rest" >> "$1" ;;
    esac
  fi
  rm -f "$1.rest"
}

# BusyBox has no file for headers. It begins anew if a file is sent whole.
busybox_get() {
  address=$1 into=$2 headers=$3 begin=$4 etag=$5
  # Without -T: that of BusyBox 1.35 crashes. Its usual timeout is 15 minutes.
  set -- -q -S
  [ "$begin" -gt 0 ] && set -- "$@" -c --header "If-Range: $etag"
  wget "$@" -O "$into" -- "$address" > /dev/null 2> "$headers" &
  await "$!"
}

# Waits for a program of this job, which a signal ends with the job.
await() {
  child=$1
  if ! printf '%s\n' "$child" > "$run/$slot.child"; then
    kill -9 "$child"
    fail "$name" "cannot be fetched, as $run cannot be written"
    exit 1
  fi
  wait "$child"
  set -- "$?"
  child=
  # A redirection of ":" that fails would end the job without a report.
  printf '' 2> /dev/null > "$run/$slot.child"
  return "$1"
}

http_status() {
  [ -f "$1" ] && awk '{ sub(/^ +/, "") } /^HTTP\// { status = $2 } END { printf "%s", status }' "$1"
}

# The value of a header of the last answer in a file.
header() {
  [ -f "$2" ] && awk -v name="$1" '
    { sub(/\r$/, ""); sub(/^ +/, "") }
    /^HTTP\// { value = "" }
    { colon = index($0, ":") }
    colon > 0 && tolower(substr($0, 1, colon - 1)) == name {
      value = substr($0, colon + 1)
      sub(/^[ \t]+/, "", value)
    }
    END { printf "%s", value }' "$2"
}

# ---- One file

report() {
  printf '%s %s %s %s\n' "$slot" "$1" "$2" "$3" >&3
}

fail() {
  printf '%s %s\n' "$1" "$2" >> "$state/failed"
  report fail 0 "$1"
}

# Notes that the file is verified under its name.
remember() {
  printf '%s %s %s %s\n' "$id" "$size" "$sum" "$name" >> "$state/done"
}

# Gives the complete partial file its name, and then notes it: mv may fail, or be killed while it copies. A file without size and
# checksum cannot be verified under its name by a later run, so it is noted before, while no file has the name.
place() {
  if [ -d "$target" ]; then
    return 1
  elif [ "$size$sum" = -- ]; then
    rm -f -- "$target" && remember && mv -f -- "$part" "$target"
  else
    mv -f -- "$part" "$target" && remember
  fi
}

# Waits for some seconds, unless a signal comes.
pause() {
  sleep "$1" &
  await "$!"
}

# Downloads one file. $1 slot, $2 size or -, $3 checksum or -, $4 identifier, $5 name in the address, $6 escaped path
job() {
  slot=$1 size=$2 sum=$3 id=$4 url=$SERVICE/data-portal/files/$4/$5 name=$6
  # A job that the script has not noted when it is killed would be ended by nobody.
  until [ -s "$run/$slot" ]; do
    [ -d "$run" ] || exit
    kill -0 "$$" 2> /dev/null || exit
  done
  child=
  # A program that has just been started can lose any other signal than KILL.
  trap '[ -n "$child" ] && kill -9 "$child" 2> /dev/null; fail "$name" "was ended by a signal"; exit 143' HUP INT TERM
  part=$state/$id.part head=$state/$id.head again=$state/$id.again
  decode "$name"
  if [ -e "$target" ] || [ -L "$target" ]; then
    result=
    if [ "$size$sum" != -- ] && [ -f "$target" ] && verify "$target" "$size" "$sum"; then
      remember
      report there "$found" "$name"
      report "$result" 0 "$name"
      return
    fi
    if [ "$replace" != yes ]; then
      [ "$result" = unread ] || reason="is another file"
      fail "$name" "exists already and $reason; -f replaces it"
      return
    fi
  fi
  tries=0 spoiled=0 changes=0
  while :; do
    [ -f "$part.rest" ] && [ -f "$part" ] && absorb "$part" "$again"
    have=0 tag='' total=''
    if [ -f "$part" ]; then
      tag=$(header etag "$head")
      total=$(header content-length "$head")
      case $tag in
        '"'*' '*'"') rm -f "$part" ;;
        '"'*'"') have=$(size_of "$part") ;;
        *) rm -f "$part" ;;
      esac
    fi
    case $total in *[!0-9]*) total='' ;; esac
    if [ "$have" -eq 0 ]; then total=''; fi
    outcome=retry wait_for=
    if [ -n "$total" ] && [ "$have" -eq "$total" ]; then
      outcome=whole
    else
      answer=$head
      [ "$have" -gt 0 ] && answer=$again
      rm -f "$answer"
      "${program}_get" "$url" "$part" "$answer" "$have" "$tag"
      ended=$?
      code=$(http_status "$answer")
      # A proxy answers 200 to CONNECT. Without an entity tag, this is no answer of the service.
      if [ "$program" != busybox ] && [ "$have" -gt 0 ] && [ "$code" = 200 ] && [ -z "$(header etag "$answer")" ]; then code=; fi
      problem=
      [ -s "$answer.error" ] && read -r problem < "$answer.error"
      rm -f "$answer.error"
      wait_for=$(header retry-after "$answer")
      case $code in
        200 | 206)
          if [ "$have" -gt 0 ] && [ "$code" = 200 ]; then
            # The file has changed: what is there is of the former one.
            if [ "$program" = busybox ]; then mv "$again" "$head"; else rm -f "$part" "$head"; fi
            outcome=anew
          elif [ "$have" -eq 0 ] && [ "$code" = 206 ]; then
            rm -f "$part"
          fi
          total=$(header content-length "$head")
          case $total in *[!0-9]*) total='' ;; esac
          if [ "$outcome" = retry ]; then
            [ "$ended" -eq 0 ] && [ ! -f "$part" ] && printf '' > "$part"
            now=0
            [ -f "$part" ] && now=$(size_of "$part")
            # A proxy may send a file without its length.
            [ -z "$total" ] && [ "$ended" -eq 0 ] && total=$now
            if [ "$now" = "${total:-none}" ]; then outcome=whole; fi
            # Something arrived, so the next tries begin to count.
            [ "$now" -gt "$have" ] && tries=0
          fi
          ;;
        416)
          rm -f "$part" "$head"
          ;;
        401)
          report token 0 "$name"
          return
          ;;
        400 | 403 | 404 | 409 | 410 | 412 | 413 | 415 | 422 | 3??)
          fail "$name" "is refused by the service (HTTP $code)"
          return
          ;;
      esac
      # The programs' own words for a file that cannot be written.
      case $outcome$program$ended in
        retrycurl23 | retrywget3)
          fail "$name" "cannot be written"
          return
          ;;
      esac
    fi
    if [ "$outcome" = whole ]; then
      if verify "$part" "$size" "$sum"; then break; fi
      if [ "$result" = unread ]; then
        fail "$name" "$reason"
        return
      fi
      rm -f "$part" "$head" "$again"
      spoiled=$((spoiled + 1))
      # A part of an earlier run may be of an earlier file, and bytes may be damaged on their way; a length is not.
      if [ "$spoiled" -gt 1 ] || [ "$result$have" = size0 ]; then
        fail "$name" "$reason"
        return
      fi
      continue
    fi
    tries=$((tries + 1))
    if [ "$tries" -gt "$max_tries" ]; then
      fail "$name" "could not be fetched (${code:+HTTP }${code:-${problem:-no answer}})"
      return
    fi
    if [ "$outcome" = anew ]; then
      changes=$((changes + 1))
      [ "$changes" -le 5 ] && continue
      fail "$name" "changes while it is fetched"
      return
    fi
    delay=$((1 << tries))
    case $wait_for in
      '' | *[!0-9]*) ;;
      *) [ "$wait_for" -gt "$delay" ] && delay=$wait_for ;;
    esac
    [ "$delay" -gt 600 ] && delay=600
    pause "$delay"
  done
  got=$(size_of "$part")
  case $target in */*) mkdir -p -- "${target%/*}" 2> /dev/null ;; esac
  if place 2> /dev/null; then
    rm -f "$head" "$again"
    report "$result" "$got" "$name"
  else
    fail "$name" "cannot be written"
  fi
}

# ---- All files

# Waits for a free slot, and counts what the job has done that had it.
take() {
  while IFS=' ' read -r slot kind amount about <&3; do
    case $kind in
      tick)
        progress ""
        continue
        ;;
      there)
        there_bytes=$((there_bytes + amount))
        continue
        ;;
      free) return ;;
      ok) ended_files=$((ended_files + 1)) ;;
      length)
        ended_files=$((ended_files + 1))
        by_length=$((by_length + 1))
        ;;
      token)
        rejected=yes
        missing=$((missing + 1))
        ;;
      fail) missing=$((missing + 1)) ;;
    esac
    fetched=$((fetched + amount))
    rm -f "$run/$slot" "$run/$slot.child"
    progress "$about"
    return
  done
}

# Sets $running to the bytes of all partial files.
partial() {
  running=0
  for file in "$state"/*.part; do
    [ -f "$file" ] && running=$((running + $(wc -c 2> /dev/null < "$file" || printf 0)))
  done
}

progress() {
  [ "$quiet" = yes ] && return
  partial
  have_bytes=$((there_bytes + fetched + running))
  left=$((BYTES - have_bytes))
  human "$have_bytes"
  line="$ended_files of $FILES files, $text"
  if [ "$BYTES" -gt 0 ] && [ "$left" -ge 0 ]; then
    human "$BYTES"
    [ "$UNSIZED" -gt 0 ] && text="at least $text"
    line="$line of $text"
  fi
  seconds=$(($(date +%s) - began))
  arrived=$((fetched + running - begun))
  if [ "$seconds" -gt 2 ] && [ "$arrived" -gt 0 ] && [ "$left" -gt 0 ]; then
    minutes=$((left / (arrived / seconds + 1) / 60 + 1))
    line="$line, about $minutes min left"
  fi
  say "$line${1:+: $1}"
}

# Ends the jobs if this script is killed without notice, shows other machines that it runs, and lets it show the progress of long
# files.
watch() {
  seconds=0 every=10
  [ "$terminal" = yes ] && every=2
  while
    sleep 1
    # A signal that comes before a subshell has its own traps is lost.
    [ -d "$run" ] && kill -0 "$$" 2> /dev/null
  do
    seconds=$((seconds + 1))
    printf '%s %s\n' "$$" "$seconds" > "$state/beat"
    if [ "$((seconds % every))" -eq 0 ]; then printf '0 tick 0\n' >&3; fi
  done
  end_jobs
}

end_jobs() {
  for file in "$run"/*; do
    [ -f "$file" ] && kill "$(cat "$file")" 2> /dev/null
  done
}

clean() {
  [ -n "$watcher" ] && kill "$watcher" 2> /dev/null
  # Another download may have taken the folder of a script that was suspended.
  holder
  [ "${other:-$$} ${place:-$machine}" = "$$ $machine" ] || return 0
  rm -rf "$state/run" "$state/lock" "$state/beat" "$state/list" "$state/turns" "$state/wgetrc"
}

stopped() {
  trap '' HUP INT TERM
  kill "$watcher" 2> /dev/null
  end_jobs
  # A job that is not noted yet, or that a signal came too early for, ends when it finds no folder of notes.
  mv "$run" "$run.ended" 2> /dev/null
  wait
  watcher=
  clean
  note "Stopped. Run the script again to go on."
  exit "$1"
}

# Sets $other and $place to the process and the machine that hold the lock, or to nothing.
holder() {
  other='' place=''
  [ -f "$state/lock/pid" ] && IFS=' ' read -r other place < "$state/lock/pid"
}

# Whether the holder of the lock runs somewhere: its watcher writes every second. The clocks of two machines may differ.
# $1 seconds to wait for that
beats() {
  beat=$(cat "$state/beat" 2> /dev/null)
  waited=0
  while [ "$waited" -lt "$1" ]; do
    sleep 1
    waited=$((waited + 1))
    [ "$(cat "$state/beat" 2> /dev/null)" = "$beat" ] || return 0
  done
  # Another download may have taken the folder meanwhile.
  was="$other $place"
  holder
  [ "$other $place" != "$was" ]
}

# Whether a process of this machine runs. In a container, this script may have the number of an earlier one.
runs() {
  [ "$1" != "$$" ] && kill -0 "$1" 2> /dev/null
}

# Takes the folder if the download that holds the lock has ended.
take_over() {
  holder
  # A script that has just made the lock writes its number at once; one that was killed there never does.
  [ -n "$place" ] || { sleep 1; holder; }
  if [ "$place" = "$machine" ]; then
    # Another container may have the same name, and other numbers of processes.
    if runs "$other" || { [ -f "$state/beat" ] && beats 3; }; then
      die "process $other downloads into this folder; if it does not, remove $state/lock"
    fi
    # Jobs of a script that was killed end within a second.
    for file in "$state"/run/*/*; do
      [ -f "$file" ] || continue
      other=$(cat "$file")
      waited=0
      while [ -n "$other" ] && runs "$other"; do
        waited=$((waited + 1))
        [ "$waited" -gt 15 ] && die "process $other of an earlier download still runs; if not, remove $state/run"
        sleep 1
      done
    done
  elif [ -n "$place" ]; then
    note "Another machine has downloaded into this folder. Finding out whether it still does takes up to a minute."
    beats 60 && die "process $other of the machine $place downloads into this folder; if it does not, remove $state/lock"
  fi
  rm -rf "$state/run"
  mkdir -p "$state/lock"
}

lock() {
  (umask 077 && mkdir -p "$state") || die "the folder $folder cannot be written"
  machine=$(uname -n)
  if ! mkdir "$state/lock" 2> /dev/null; then
    if [ -d "$state/lock" ]; then
      take_over
    else
      # The other download may have ended in between.
      mkdir "$state/lock" 2> /dev/null || die "the folder $folder cannot be written"
    fi
  fi
  if ! printf '%s %s\n' "$$" "$machine" > "$state/lock/pid" || ! printf '%s 0\n' "$$" > "$state/beat"; then
    rm -rf "$state/lock"
    die "the folder $folder cannot be written"
  fi
  mkdir -p "$run"
}

choose_program() {
  if command -v curl > /dev/null 2>&1; then
    program=curl
  elif command -v wget > /dev/null 2>&1; then
    program=wget
    wget --help 2>&1 | grep -q BusyBox && program=busybox
  else
    die "curl or wget is needed"
  fi
  if [ "$program" = busybox ] && [ -n "$token" ]; then
    die "the wget of BusyBox would show the token to all users of this machine: install curl or GNU wget"
  fi
}

read_token() {
  token=${CLIMATE_NEXTGEN_TOKEN:-}
  if [ -n "$1" ]; then
    [ -r "$1" ] || die "the token file $1 cannot be read"
    # shellcheck disable=SC2012 # The mode alone is read.
    case $(ls -ldL -- "$1") in
      -rw-------* | -r--------*) ;;
      *) die "others may read the token file $1: chmod 600 it" ;;
    esac
    IFS= read -r token < "$1"
  fi
  unset CLIMATE_NEXTGEN_TOKEN
  case $token in *[!A-Za-z0-9._~+/=-]*) die "the token has characters that no token has" ;; esac
}

main() {
  folder=. jobs=4 token_file='' replace=no check=no dry=no quiet=no terminal=no program='' max_tries=7
  ended_files=0 missing=0 by_length=0 fetched=0 there_bytes=0 rejected=no watcher=''
  while getopts d:j:t:fcnqh option; do
    case $option in
      d) folder=$OPTARG ;;
      j) jobs=$OPTARG ;;
      t) token_file=$OPTARG ;;
      f) replace=yes ;;
      c) check=yes ;;
      n) dry=yes ;;
      q) quiet=yes ;;
      h)
        usage
        exit 0
        ;;
      *)
        usage >&2
        exit 2
        ;;
    esac
  done
  shift $((OPTIND - 1))
  [ "$#" -eq 0 ] || die "no arguments are taken, but options; -h shows them"
  case $jobs in '' | *[!0-9]* | 0* | ????*) die "-j takes a number from 1 to 64" ;; esac
  [ "$jobs" -le 64 ] || die "-j takes a number from 1 to 64"
  case $folder in /*) ;; *) folder=./$folder ;; esac
  [ -t 2 ] && terminal=yes
  read_token "$token_file"
  state=$folder/.climate-nextgen-download
  # The watcher of a run that was killed may end its jobs when the next run has begun: each knows its own alone.
  run=$state/run/$$
  if [ "$dry" = yes ]; then
    show_missing
    return
  fi
  choose_program
  lock
  trap 'stopped 129' HUP
  trap 'stopped 130' INT
  trap 'stopped 143' TERM
  [ "$check" = yes ] && rm -f "$state/done"
  if ! printf '' >> "$state/done" || ! printf '' > "$state/failed"; then
    clean
    die "the folder $folder cannot be written"
  fi
  if [ "$program" = wget ] && [ -n "$token" ]; then
    (umask 077 && printf 'header = Authorization: Bearer %s\n' "$token" > "$state/wgetrc")
  fi
  marked "$state/done" > "$state/list"
  mkfifo "$state/turns" 2> /dev/null || { rm -f "$state/turns" && mkfifo "$state/turns"; } ||
    { clean; die "the folder $folder takes no named pipe"; }
  exec 3<> "$state/turns"
  turn=0
  while [ "$turn" -lt "$jobs" ]; do
    turn=$((turn + 1))
    printf '%s free 0\n' "$turn" >&3
  done
  watch > /dev/null 2>&1 < /dev/null &
  watcher=$!
  began=$(date +%s)
  partial
  begun=$running
  while IFS=' ' read -r mark size sum id url name; do
    if [ "$mark" = '=' ]; then
      decode "$name"
      if [ -f "$target" ]; then
        ended_files=$((ended_files + 1))
        [ "$sum" = - ] && by_length=$((by_length + 1))
        [ "$size" != - ] && there_bytes=$((there_bytes + size))
        continue
      fi
    fi
    take
    [ "$rejected" = yes ] && break
    job "$slot" "$size" "$sum" "$id" "$url" "$name" < /dev/null &
    printf '%s\n' "$!" > "$run/$slot" || stopped 1
  done < "$state/list"
  # The slot that a rejected token gave back has no job any more.
  [ "$rejected" = yes ] && turn=$((turn - 1))
  while [ "$turn" -gt 0 ]; do
    turn=$((turn - 1))
    take
  done
  trap '' HUP INT TERM
  clean
  summary
}

# The list, with = before what earlier runs have verified, and + before all else. $1 what is verified; the last line of a name counts
marked() {
  entries | awk '
    kind == "done" { known[$4] = $1 " " $2 " " $3; next }
    { print (known[$5] == $3 " " $1 " " $2 ? "=" : "+"), $0 }' kind=done "$1" kind=list -
}

# Without a lock, as nothing is written. What is verified, or is there with its length, is not missing.
show_missing() {
  verified=$state/done
  [ "$check" = no ] && [ -r "$verified" ] || verified=/dev/null
  marked "$verified" | {
    count=0 amount=0
    while IFS=' ' read -r mark size sum id url name; do
      decode "$name"
      if [ -f "$target" ]; then
        [ "$mark" = '=' ] && continue
        [ "$size" = "$(size_of "$target")" ] && continue
      fi
      printf '%s %s\n' "$size" "$name"
      count=$((count + 1))
      [ "$size" != - ] && amount=$((amount + size))
    done
    human "$amount"
    note "$count of $FILES files are missing, $text."
    left_out
  }
}

left_out() {
  [ "$STORES" -gt 0 ] && note "Zarr stores, which are read as streams, are left out: $STORES"
  [ "$ELSEWHERE" -gt 0 ] && note "Data that are not on the service's machine are left out: $ELSEWHERE"
  [ "$FILES" -gt 0 ] || note "The search found no files."
}

summary() {
  human "$fetched"
  note "$ended_files of $FILES files are there; $text were fetched."
  [ "$by_length" -gt 0 ] && note "Verified by length alone, as no checksum is known or no program computes it: $by_length"
  left_out
  if [ "$rejected" = yes ]; then
    note "The service needs a valid token: make one for scripts on its page, and set CLIMATE_NEXTGEN_TOKEN or use -t."
  fi
  if [ -s "$state/failed" ]; then
    note "These files are missing (names are escaped):"
    head -n 20 "$state/failed" >&2
    failures=$(($(wc -l < "$state/failed")))
    [ "$failures" -gt 20 ] && note "... and $((failures - 20)) more, in $state/failed"
  fi
  [ "$ended_files" -eq "$FILES" ] && [ "$FILES" -gt 0 ]
}
