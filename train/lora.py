"""Trains the adapter on `out/train-NN.jsonl.gz` and scores it.

    python lora.py --base out/base.gguf --seconds 480 --rank 32 --lr 1.2e-3 --into OUT
    python lora.py --base out/base.gguf --tiny          # a few steps of two layers, on any machine
"""

import argparse
import contextlib
import gzip
import itertools
import json
import math
import multiprocessing
import os
import pathlib
import queue
import random
import threading
import time

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer
from torch.nn.attention.flex_attention import create_block_mask

from llama import END, START, Gguf, Llama, layer, load, save, tokenizer
from score import score

HERE = pathlib.Path(__file__).parent
BEGAN = time.time()
LONGEST = 3072


def say(*words):
    print(f"[{time.time() - BEGAN:6.1f} s]", *words, flush=True)


def tools_of(text):
    """A system message as what conversations with the same tools share, and the day, which stands in a line of its own."""
    head, _, last = text.rpartition("\n")
    # Behind a blank the end of the line is no token of its own.
    apart = last.startswith("Today is ") and not head[-1:].isspace()
    return (f"system\n{head}\n", last) if apart else (f"system\n{text}", "")


def read(work):
    """A file's conversations, by what they begin with: {its tokens: [(the tokens behind it, which of them are learned), …]}."""
    path, tokenizer, most = work
    tok = Tokenizer.from_file(str(tokenizer))
    with gzip.open(path, "rt", encoding="utf-8") as file:
        lines = [json.loads(line) for line in itertools.islice(file, most)]
    texts = {}
    for (_, system, _), *said in lines:
        for text in (*tools_of(system), *(f"{role}\n{content}" for role, content, _ in said)):
            texts.setdefault(text, len(texts))
    encoded = [it.ids for it in tok.encode_batch_fast(list(texts), add_special_tokens=False)]
    start, end = tok.token_to_id(START), tok.token_to_id(END)
    newline, = tok.encode("\n", add_special_tokens=False).ids
    role_of_ours = len(tok.encode("assistant\n", add_special_tokens=False).ids)
    found = {}
    for (_, system, _), *said in lines:
        head, day = tools_of(system)
        tokens = [*encoded[texts[day]], end, newline]
        mask = [0] * len(tokens)
        for role, content, learned in said:
            ids = encoded[texts[f"{role}\n{content}"]]
            tokens += [start, *ids, end, newline]
            mask += [0] * (1 + role_of_ours) + [learned] * (len(ids) - role_of_ours + 1) + [0] if learned else [0] * (len(ids) + 3)
        head = (start, *encoded[texts[head]])
        if len(head) + len(tokens) <= LONGEST and any(mask):
            found.setdefault(head, []).append((torch.tensor(tokens, dtype=torch.int32).numpy(), torch.tensor(mask, dtype=torch.bool).numpy()))
    return [(torch.tensor(head, dtype=torch.int32).numpy(), some) for head, some in found.items()]


def conversations(folder, part, most):
    """What is learned from, by what it begins with: all the files, or `part`, the second third of them being `2/3`."""
    which, of = (int(it) for it in part.split("/"))
    paths = sorted(folder.glob("train-*.jsonl.gz"))[which - 1 :: of]
    work = [(path, folder / "tokenizer.json", most) for path in (paths[:1] if most else paths)]
    with multiprocessing.get_context("spawn").Pool(min(len(work), os.cpu_count())) as pool:
        files = pool.map(read, work, chunksize=1)
    numbers = torch.from_numpy
    return [(numbers(head), [(numbers(tokens), numbers(mask)) for tokens, mask in some]) for file in files for head, some in file]


class Group:
    """Conversations that begin alike: what they begin with is read once for all of them."""

    def __init__(self, head, some):
        first = len(head)
        self.tokens = torch.cat([head, *(tokens for tokens, _ in some)])
        # Nothing of what they share is learned: it is the tools.
        self.learned = torch.cat([torch.zeros(first, dtype=torch.bool), *(mask for _, mask in some)])
        self.places = torch.cat([torch.arange(first), *(torch.arange(first, first + len(it)) for it, _ in some)])
        self.whose = torch.cat([torch.zeros(first), *(torch.full((len(it),), at + 1.0) for at, (it, _) in enumerate(some))])

    def __len__(self):
        return len(self.tokens)


def grouped(data, r, row):
    """All conversations in groups of those that begin alike, as many in each as fit; anew each time."""
    groups = []
    for head, run in data:
        r.shuffle(run)
        some, size = [], len(head)
        for one in run:
            if some and (size + len(one[0]) > row // 2 or len(some) >= MOST):
                groups.append((head, some))
                some, size = [], len(head)
            some.append(one)
            size += len(one[0])
        groups.append((head, some))
    r.shuffle(groups)
    return groups


# How many conversations are in a group at most.
MOST = 24


def rows(data, seed, row):
    """Rows of groups without end: (tokens, learned, places, groups, whose), each as long as the others."""
    r = random.Random(seed)
    while True:
        open_rows = []
        for head, some in grouped(data, r, row):
            group = Group(head, some)
            fits = [it for it in open_rows if sum(map(len, it)) + len(group) <= row]
            if fits:
                max(fits, key=lambda it: sum(map(len, it))).append(group)
            else:
                open_rows.append([group])
            if len(open_rows) > 6:
                fullest = max(open_rows, key=lambda it: sum(map(len, it)))
                open_rows.remove(fullest)
                yield laid(fullest, row)
        yield from (laid(it, row) for it in open_rows)
        say("an epoch ends")


def laid(groups, row):
    def line(name, kind, empty):
        whole = torch.full((row,), empty, dtype=kind)
        parts = torch.cat([getattr(it, name) for it in groups])
        whole[: len(parts)] = parts
        return whole

    numbers = torch.cat([torch.full((len(it),), at, dtype=torch.int32) for at, it in enumerate(groups)])
    which = torch.full((row,), -1, dtype=torch.int32)
    which[: len(numbers)] = numbers
    return line("tokens", torch.int32, 0), line("learned", torch.bool, False), line("places", torch.int32, 0), which, line("whose", torch.int32, 0)


def ahead(data, options):
    """Batches of so many rows, made while the ones before are learned."""
    made, is_over = queue.Queue(8), threading.Event()

    def make():
        source = rows(data, options.seed, options.row)
        while not is_over.is_set():
            batch = [torch.stack(it) for it in zip(*(next(source) for _ in range(options.rows)))]
            while not is_over.is_set():
                with contextlib.suppress(queue.Full):
                    made.put(batch, timeout=0.2)
                    break

    maker = threading.Thread(target=make, daemon=True)
    maker.start()
    try:
        while True:
            yield made.get()
    finally:
        is_over.set()
        maker.join()


def who_sees_whom(which, whose):
    """Of its own group everybody sees what they share, and what was said before in its own conversation."""
    count, length = which.shape

    def sees(row, _, at, other):
        alike = which[row, at] == which[row, other]
        own = (whose[row, other] == 0) | (whose[row, other] == whose[row, at])
        return (at >= other) & alike & own

    if which.is_cuda:
        return create_block_mask(sees, count, None, length, length, device=which.device)
    # The kernels that leave out what nobody sees are for GPUs.
    at = torch.arange(length)
    return sees(torch.arange(count)[:, None, None], None, at[:, None], at)[:, None]


def loss_of(model, weights, batch):
    tokens, learned, places, which, whose = (it.to(model.device, non_blocking=True) for it in batch)
    tokens = tokens.long()
    hidden = model.hidden(tokens, places, who_sees_whom(which, whose), weights)[:, :-1]
    chosen = learned[:, 1:]
    return F.cross_entropy(model.logits(hidden[chosen]), tokens[:, 1:][chosen]), tokens.numel()


def train(model, data, options):
    parameters = [*model.a.values(), *model.b.values()]
    say(f"{sum(it.numel() for it in parameters) / 1e6:.2f} M parameters in the adapter")
    optimizer = torch.optim.AdamW(parameters, lr=options.lr, betas=(0.9, 0.98), weight_decay=0.01)
    began, steps, seen, mean = time.time(), 0, 0, 0.0
    kept = time.time()
    for batch in ahead(data, options):
        # Counted from the program's start: what came before training comes out of its time.
        done = max((time.time() - began) / max(1.0, options.seconds - (began - BEGAN)), steps / options.steps if options.steps else 0)
        if done >= 1:
            break
        rate = options.lr * min(1, (steps + 1) / 50) * (0.5 * (1 + math.cos(math.pi * done)) * 0.98 + 0.02)
        for group in optimizer.param_groups:
            group["lr"] = rate
        loss, count = loss_of(model, model.merged(), batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        steps, seen = steps + 1, seen + count
        mean = loss.item() if steps == 1 else 0.98 * mean + 0.02 * loss.item()
        if steps % 50 == 0 or options.tiny:
            say(f"step {steps}, loss {mean:.4f}, {seen / 1e6:.1f} M tokens, {seen / (time.time() - began) / 1e3:.0f} k/s, {done:.0%}")
        if time.time() - kept > 240:
            # Whatever becomes of the machine, this much is there.
            kept = time.time()
            save(model, options.into / "adapter-so-far.safetensors", options.bits)
    say(f"trained: {steps} steps, {seen / 1e6:.1f} M tokens, loss {mean:.4f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--base", type=pathlib.Path, required=True, help="the base as GGUF")
    parser.add_argument("--data", type=pathlib.Path, default=HERE / "out")
    parser.add_argument("--into", type=pathlib.Path, default=HERE / "out")
    parser.add_argument("--seconds", type=float, default=480, help="training ends so long after the program's start")
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--rank", type=int, default=32)
    parser.add_argument("--bits", type=int, choices=(8, 16), default=8)
    parser.add_argument("--lr", type=float, default=1.2e-3)
    parser.add_argument("--rows", type=int, default=8, help="in a step")
    parser.add_argument("--row", type=int, default=8192, help="how many tokens are in a row")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", default="1/1", help="the part of the data that is read: 2/3 is the second third")
    parser.add_argument("--resume", type=pathlib.Path, help="an adapter to go on from")
    parser.add_argument("--tiny", action="store_true", help="two layers and a few steps, to see that it runs")
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options.seed)
    if options.tiny:
        options.seconds, options.steps, options.rows, options.row = 600, 3, 1, LONGEST + 1024
    options.into.mkdir(parents=True, exist_ok=True)

    path = options.data / "tokenizer.json"
    if not path.exists():
        tokenizer(Gguf(options.base)).save(str(path))
    tok = Tokenizer.from_file(str(path))
    data = conversations(options.data, options.part, 2000 if options.tiny else None)
    every = [it for _, some in data for it in some]
    shared, own, learned = sum(len(head) for head, _ in data), sum(len(it) for it, _ in every), sum(int(it.sum()) for _, it in every)
    say(f"{len(every)} conversations with {len(data)} sets of tools; tokens: {shared / 1e6:.1f} M of tools, {own / 1e6:.1f} M behind them, {learned / 1e6:.1f} M of these learned")
    del every
    model = Llama(options.base, options.rank, device, layers=2 if options.tiny else None)
    say("loaded on", device)
    if options.resume:
        load(model, options.resume)
        say("goes on from", options.resume)
    if device == "cuda":
        model.block = torch.compile(layer)
    train(model, data, options)
    name = options.into / ("adapter-tiny.safetensors" if options.tiny else "adapter.safetensors")
    say("adapter:", save(model, name, options.bits), "bytes")
    test = json.loads((options.data / "test.json").read_text())
    report = score(model, tok, test, most=8 if options.tiny else 160, limit=4 if options.tiny else None)
    (options.into / "report.json").write_text(json.dumps(report, indent=1))
    say("done")


if __name__ == "__main__":
    main()
