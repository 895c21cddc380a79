# make demo   installs what is missing, builds, and downloads 700 MB from a server on this machine
# make test   installs what is missing, and runs every test
#
# Needed beforehand: Debian (or a relative with apt-get) and Swift 6.2 or later. More: make help

SCRATCH ?= .build
# Where the sanitizers build: their object files are others.
THREAD_SCRATCH ?= $(SCRATCH)/thread
ADDRESS_SCRATCH ?= $(SCRATCH)/address

BUILD_PACKAGES = libevent-dev libcurl4-openssl-dev libpsl-dev libssl-dev zlib1g-dev libbrotli-dev \
  libzstd-dev pkg-config
TEST_PACKAGES = $(BUILD_PACKAGES) nginx-light openssl curl jq python3-httpbin gunicorn \
  squid-openssl microsocks nghttp2-server vsftpd

# One after another: many tests block a thread, and Swift's pool has as many as there are cores. The
# servers of the tests are on this machine, whatever the environment says about proxies.
TEST = no_proxy='*' swift test --disable-xctest --no-parallel
# The standard library inside the program: less to load, and a smaller footprint.
RELEASE = swift build --quiet -c release --static-swift-stdlib --scratch-path $(SCRATCH)/demo

# Where suites that others wrote lie, with runners for them.
SUITES ?= ../shared/suites

# The entries of the bug bank, all of them; a test's name begins with its entry's number.
BUG_BANK = \
  B001 B002 B003 B005 B007 B008 B010 B012 B013 B015 B017 B018 B020 B022 B023 B025 \
  B027 B028 B029 B031 B033 B034 B035 B037 B038 B040 B041 B043 B045 B046 B047 B049 \
  B051 B052 B054 B056 B057 B059 B061 B062 B063 B065 B066 B068 B069 B071 B072 B073 \
  B074 B075 B076 B078 B079 B081 B083 B084 B085 B087 B089 B090 B091 B093 B095 B096 \
  B097 B099 B101 B102 B104 B106 B107 B109 B110 B111 B113 B114 B116 B118 B119 B121 \
  B123 B124 B126 B128 B129 B131 B133 B134 B136 B138 B139 B141 B142 B144 B145 B147 \
  B149 B150 B151 B153 B155 B156

.PHONY: help demo test bugbank test-thread test-address conformance setup setup-test format lint \
  clean

help:
	@echo 'make demo          install what is missing, build, download 700 MB'
	@echo 'make test          install what is missing, run every test'
	@echo 'make bugbank       what became of each entry of the bug bank'
	@echo 'make test-thread   the tests under the thread sanitizer'
	@echo 'make test-address  the tests under the address sanitizer'
	@echo 'make conformance   suites that others wrote, from the folder SUITES=$(SUITES)'
	@echo 'make lint          does the source keep to the format?'
	@echo 'make format        make it so'
	@echo 'make clean         remove what was built'

demo: setup
	@echo 'building (a minute or two the first time)'
	@mkdir -p $(SCRATCH)
	@{ $(RELEASE) --product SampleServer && $(RELEASE) --product Demo; } >$(SCRATCH)/demo.log 2>&1 \
	  || { cat $(SCRATCH)/demo.log >&2; exit 1; }
	@$(SCRATCH)/demo/release/Demo

test: setup-test
	$(TEST) --scratch-path $(SCRATCH)

# The runner's report has one line for each test, and a failure on a line of its own below it.
bugbank: setup-test
	@mkdir -p $(SCRATCH)
	@rm -f $(SCRATCH)/bugbank.xml
	@$(TEST) --scratch-path $(SCRATCH) --filter '/b[0-9]{3}' \
	  --xunit-output $(SCRATCH)/bugbank.xml >$(SCRATCH)/bugbank.log 2>&1 || true
	@test -e $(SCRATCH)/bugbank.xml || tail -n 40 $(SCRATCH)/bugbank.log >&2
	@touch $(SCRATCH)/bugbank.xml
	@awk -v entries='$(BUG_BANK)' "$$BUG_BANK_REPORT" $(SCRATCH)/bugbank.xml

define BUG_BANK_REPORT
/<testcase / && match($$0, / name="b[0-9]+[^"(]*/) {
  name = substr($$0, RSTART + 7, RLENGTH - 7)
  entry = "B" substr(name, 2, 3)
  name = substr(name, 5)
  words = ""
  for (place = 1; place <= length(name); place++) {
    letter = substr(name, place, 1)
    last = substr(name, place - 1, 1)
    words = words (letter ~ /[A-Z]/ && last ~ /[a-z0-9]/ ? " " : "") tolower(letter)
  }
  names[entry] = names[entry] (names[entry] == "" ? "" : ", ") words
}
/<testcase / && !match($$0, / name="b[0-9]/) { entry = "" }
/<failure/ && entry != "" { failed[entry] = 1 }
END {
  count = split(entries, list, " ")
  for (place = 1; place <= count; place++) {
    entry = list[place]
    outcome = !(entry in names) ? "missing" : entry in failed ? "FAILED" : "passed"
    if (outcome == "passed") good++; else bad++
    printf "%s  %s  %s\n", entry, names[entry], outcome
  }
  printf "%d passed, %d failed\n", good, bad
  exit bad > 0
}
endef
export BUG_BANK_REPORT

# Memory figures mean nothing under a sanitizer, which keeps a map of all memory beside it. transcript is
# many processes, each of which takes a second to begin under one; what it calls is tested without it.
test-thread: setup-test
	$(TEST) --scratch-path $(THREAD_SCRATCH) --sanitize=thread \
	  --skip 'MemoryTests|SamplesTests\.Transcript'

# Leaks are looked for where everything is ours: the checker takes the records that Swift keeps for
# weak references for leaks, and finds some of Foundation's.
test-address: setup-test
	ASAN_OPTIONS=detect_leaks=0 $(TEST) --scratch-path $(ADDRESS_SCRATCH) --sanitize=address \
	  --skip 'MemoryTests|SamplesTests\.Transcript'
	$(TEST) --scratch-path $(ADDRESS_SCRATCH) --sanitize=address --skip-build \
	  --filter 'EventLoopsTests|ContentCodingsTests|CurlTransfersTests|StressTests'

# Prints how many cases of each suite passed. Failed cases are no error here, a run without an end is.
#
# The cookie suite needs names that lead to 127.0.0.1: its runner makes them in a namespace, as root or
# as a user who may. Without namespaces the names must be in /etc/hosts, or nothing passes.
conformance: setup
	@for suite in cookiesuite cachesuite; do \
	  [ -f '$(SUITES)'/$$suite/$$suite.py ] || { \
	    echo "There is no $(SUITES)/$$suite: say where the suites lie, make conformance SUITES=FOLDER" >&2; \
	    exit 1; }; \
	done
	@command -v python3 >/dev/null || { echo 'The suites need python3.' >&2; exit 1; }
	@mkdir -p $(SCRATCH)
	@$(RELEASE) --product transcript >$(SCRATCH)/conformance.log 2>&1 \
	  || { cat $(SCRATCH)/conformance.log >&2; exit 1; }
	@client='$(abspath $(SCRATCH))/demo/release/transcript --json-lines'; \
	unset http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY; \
	if unshare -m -n true 2>/dev/null; then user=; cookies=; cache=--isolate; \
	elif unshare -r -m -n true 2>/dev/null; then user='unshare -r'; cookies=; cache=--isolate; \
	else user=; cookies=--no-namespace; cache=; echo 'no namespaces here: see the Makefile' >&2; fi; \
	$(call suite,cookies,cookiesuite,http-state-parser.json,$$cookies); \
	$(call suite,cache,cachesuite,cache-tests.json,$$cache)

# Runs one suite, and prints its last line behind a name: $(call suite,NAME,RUNNER,CASES,OPTIONS).
define suite
$$user python3 '$(SUITES)'/$(2)/$(2).py --cases '$(SUITES)'/data/$(3) --client "$$client" $(4) \
  >$(SCRATCH)/$(1).log 2>&1; \
status=$$?; \
last=$$(tail -n 1 $(SCRATCH)/$(1).log); \
echo "$(1): $$last"; \
if [ $$status -gt 1 ] || ! echo "$$last" | grep -qx '[0-9]* passed, [0-9]* failed, [0-9]* skipped'; then \
  echo "The suite did not end cleanly; see $(SCRATCH)/$(1).log" >&2; exit 1; \
fi
endef

format:
	swift format -i -r -p Sources Tests Samples Package.swift

lint:
	swift format lint -r -p --strict Sources Tests Samples Package.swift

clean:
	rm -rf $(SCRATCH)

setup:
	@$(call install,$(BUILD_PACKAGES))

setup-test:
	@$(call install,$(TEST_PACKAGES))

# Installs those of the packages that are missing, as root or through sudo.
#
# A server that is installed for the tests is not to be started as a service: policy-rc.d says so
# while apt-get works.
define install
command -v swift >/dev/null || { \
  echo 'Swift is missing: install a toolchain, 6.2 or later, and put it on the PATH.' >&2; exit 1; }; \
missing=; \
for package in $(1); do \
  dpkg-query -W -f='$${Status}\n' $$package 2>/dev/null | grep -q 'ok installed' \
    || missing="$$missing $$package"; \
done; \
if [ -n "$$missing" ]; then \
  echo "installing$$missing"; \
  as_root=; \
  if [ "$$(id -u)" != 0 ]; then as_root=sudo; fi; \
  by_hand="install by hand, as root:  apt-get update && apt-get install$$missing"; \
  if [ -n "$$as_root" ] && ! command -v sudo >/dev/null; then \
    echo "You are not root, and sudo is missing; $$by_hand" >&2; exit 1; \
  fi; \
  command -v apt-get >/dev/null || { \
    echo "There is no apt-get here; install what your system calls:$$missing" >&2; exit 1; }; \
  policy=; \
  if [ ! -e /usr/sbin/policy-rc.d ]; then \
    policy=/usr/sbin/policy-rc.d; \
    printf '#!/bin/sh\nexit 101\n' | $$as_root tee $$policy >/dev/null && $$as_root chmod 755 $$policy; \
  fi; \
  { $$as_root apt-get update -qq && \
    $$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      $$missing >/dev/null; }; \
  status=$$?; \
  if [ -n "$$policy" ]; then $$as_root rm -f $$policy; fi; \
  if [ $$status != 0 ]; then echo "That failed; $$by_hand" >&2; exit 1; fi; \
fi
endef
