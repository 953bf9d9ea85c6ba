"""How fast llama.cpp reads and writes with the offline model's weights here: beside `offline_speed`.

python3 benches/offline.py GGUF. It installs itself llama.cpp from the package index, once: where there is no build of it
for this machine, that takes a compiler and some minutes. Where it cannot be had, a line says so.
"""

import os
import pathlib
import subprocess
import sys
import time

VERSION = "0.3.36"
TEXT = (
    "<|im_start|>system\nYou call tools.\n# Tools\nget_weather(location: string) - Get the current weather in a "
    "given location\n  location: The city and state, e.g. San Francisco, CA\ncalculate_tip(amount: number, percent: "
    "number) - Calculate the tip for a bill<|im_end|>\n<|im_start|>user\nWhat's the weather in San Francisco and a "
    "20% tip on $45.60?<|im_end|>\n<|im_start|>assistant\n"
)


def installed() -> pathlib.Path | None:
    """The Python of an environment that has llama.cpp; made where there is none, if it can be."""
    folder = pathlib.Path("target/bench") / f"llama-cpp-{VERSION}"
    python = folder / "bin/python"
    if not (folder / "done").exists():
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        try:
            subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
            subprocess.run([*pip, f"llama-cpp-python=={VERSION}"], check=True)
        except (OSError, subprocess.CalledProcessError):
            return None
        (folder / "done").touch()
    return python


def measure(path: str) -> None:
    """Reads prompts of several lengths, and writes 48 tokens after each."""
    import llama_cpp  # Only there in the environment.

    cores = len(os.sched_getaffinity(0))
    model = llama_cpp.Llama(
        path, n_ctx=2048, n_batch=512, n_threads=cores, n_threads_batch=cores, verbose=False
    )
    text = model.tokenize(TEXT.encode(), add_bos=False, special=True)
    for size in [len(text), 40, 256, 600, 877, 1500]:
        tokens = [text[at % len(text)] for at in range(size)]
        model.reset()
        begun = time.perf_counter()
        model.eval(tokens)
        read = time.perf_counter() - begun
        begun = time.perf_counter()
        for _ in range(48):
            model.eval([model.sample(temp=0.0)])
        wrote = time.perf_counter() - begun
        print(f"llama.cpp: {size} read: {size / read:.0f} a second; 48 written: {48 / wrote:.0f} a second")


if __name__ == "__main__":
    if os.environ.get("LLAMA_CPP_IS_HERE"):
        measure(sys.argv[1])
    elif python := installed():
        environment = {**os.environ, "LLAMA_CPP_IS_HERE": "1"}
        subprocess.run([python, *sys.argv], check=True, env=environment)
    else:
        # The other figures are worth having without it.
        print(f"llama.cpp: llama-cpp-python {VERSION} cannot be installed here; pip says why, above")
