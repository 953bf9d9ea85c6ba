# The commands of this project. `make run` and `make test` are all a newcomer needs: each installs what is
# missing where it can (Debian, as root), says what to install where it cannot, and what it is doing.

.PHONY: help run test test-durable lint features package bench bench-engine image fuzz eval-offline page setup

help:
	@echo "make run    build Toolwright and serve it, with the page, at 127.0.0.1:8001"
	@echo "make test   run every test"
	@echo "make test-durable   kill whatever a deployment of many processes has, and count what is lost"
	@echo "make lint   formatting, types, packages, dependencies, features, clippy, documentation"
	@echo "make features   every crate with each of its features alone (a quarter of an hour)"
	@echo "make package   the crates as they would be published; nothing is"
	@echo "make bench  measure, and print the figures of benches/README.md"
	@echo "make bench-engine   measure the durable engine beside the local one"
	@echo "make image  a container image of the program, with what Debian has"
	@echo "make fuzz   random replies, scripts, paths, addresses and settings, a minute each"
	@echo "make eval-offline   ask the offline model some 1,200 questions, and count"

setup:
	@sh scripts/setup.sh

page: setup
	@echo "==> building the page"
	@sh scripts/page.sh

run: page
	@echo "==> building toolwright (some minutes of two cores the first time)"
	@cargo build --profile quick --locked -p toolwright-cli
	@echo "==> toolwright serve"
	@target/quick/toolwright serve --task general --workspace .

test: page
	@sh scripts/setup.sh test
	@sh scripts/tracked.sh note
	@echo "==> building and running the tests (several minutes the first time)"
	cargo test --workspace --locked
	@sh scripts/telemetry.sh
	@echo "==> the page, and clients that others wrote"
	@TOOLWRIGHT_BIN="$(CURDIR)/target/debug/toolwright" sh scripts/page.sh test
	@TOOLWRIGHT_BIN="$(CURDIR)/target/debug/toolwright" sh scripts/clients.sh
	@TOOLWRIGHT_BIN="$(CURDIR)/target/debug/toolwright" sh scripts/sources.sh
	@echo "==> servers, workers and an engine, and faults (two to three minutes)"
	@TOOLWRIGHT_BIN="$(CURDIR)/target/debug/toolwright" sh scripts/durable.sh short
	@echo "==> what is deployed"
	@TOOLWRIGHT_BIN="$(CURDIR)/target/debug/toolwright" sh scripts/deploy.sh
	@sh scripts/tracked.sh check

# Everything that can go wrong among many processes, and 500 conversations under random faults: some minutes.
test-durable: setup
	@echo "==> building the program (some minutes the first time)"
	cargo build --locked -p toolwright-cli
	@TOOLWRIGHT_BIN="$(CURDIR)/target/debug/toolwright" sh scripts/durable.sh whole

lint: setup
	@sh scripts/lint.sh

features: setup
	@sh scripts/features.sh all

package: setup
	@sh scripts/package.sh

bench: setup
	@echo "==> building what is measured, optimised"
	cargo build --profile dist --locked -p toolwright-cli -p toolwright-benches
	cargo build --profile dist --locked -p toolwright-dialects --example throughput
	cargo build --profile dist --locked -p toolwright-workspace --bins --example launch
	cargo build --profile dist --locked -p toolwright-embed --example speed
	cargo build --profile dist --locked -p toolwright-offline --example offline_speed
	cargo build --profile dist --locked -p toolwright-watch --examples
	cargo build --release --locked --manifest-path benches/text/rust/Cargo.toml --target-dir target/text
	python3 benches/run.py
	target/dist/bench-call
	target/dist/bench-mcp
	target/dist/bench-apis
	target/dist/bench-durable
	target/dist/bench-server-load
	target/dist/toolwright --data target/bench watch embed
	TOOLWRIGHT_EMBED_MODEL=target/bench/models/minilm-l6-v2 target/dist/bench-select
	target/dist/examples/throughput
	target/dist/examples/launch
	target/dist/examples/speed target/bench/models/minilm-l6-v2
	target/dist/toolwright --data target/bench models pull offline
	target/dist/examples/offline_speed target/bench/models/smollm2-135m/smollm2-135m-instruct-q4_1.gguf crates/offline/adapter/adapter.safetensors
	python3 benches/offline.py target/bench/models/smollm2-135m/smollm2-135m-instruct-q4_1.gguf
	python3 benches/memory.py target/bench/models --idle
	TOOLWRIGHT_EMBED_MODEL=target/bench/models/minilm-l6-v2 target/dist/examples/retrieval
	target/dist/examples/import_speed
	target/dist/examples/vectors 100000
	target/dist/examples/vectors 1000000
	target/text/release/bench-text target/text/inputs
	python3 benches/text/bench_py.py target/text/inputs

bench-engine: setup
	@echo "==> building what is measured, optimised"
	cargo build --profile dist --locked -p toolwright-cli
	@TOOLWRIGHT_BIN="$(CURDIR)/target/dist/toolwright" sh scripts/durable.sh bench

image: page
	@echo "==> building the program, optimised"
	cargo build --profile dist --locked -p toolwright-cli
	@sh scripts/image.sh target/dist/toolwright

fuzz: setup
	@sh scripts/fuzz.sh

eval-offline: setup
	@sh scripts/eval-offline.sh
