"""Trains the adapter on `out/train-NN.jsonl.gz` and scores it.

    python lora.py --base out/base.gguf --seconds 480 --rank 32 --lr 1.2e-3 --into OUT
    python lora.py --base out/base.gguf --tiny          # a few steps of two layers, on any machine
"""

import argparse
import gzip
import json
import math
import pathlib
import random
import time

import torch
import torch.nn.functional as F
from tokenizers import Tokenizer

from llama import END, START, Gguf, Llama, layer, load, save, tokenizer
from score import score

HERE = pathlib.Path(__file__).parent
BEGAN = time.time()
LONGEST = 3072


def say(*words):
    print(f"[{time.time() - BEGAN:6.1f} s]", *words, flush=True)


def conversations(folder, part, most):
    """What is learned from: all the files, or `part`, the second third of them being `2/3`."""
    which, of = (int(it) for it in part.split("/"))
    lines = []
    for path in sorted(folder.glob("train-*.jsonl.gz"))[which - 1 :: of]:
        with gzip.open(path, "rt", encoding="utf-8") as file:
            lines += [json.loads(line) for line in file]
        if most and len(lines) >= most:
            return lines[:most]
    return lines


def examples(tok, lines):
    """(tokens, which of them are learned) of each conversation."""
    start, end = tok.token_to_id(START), tok.token_to_id(END)
    newline, = tok.encode("\n", add_special_tokens=False).ids
    head = len(tok.encode("assistant\n", add_special_tokens=False).ids)
    messages = [(at, f"{role}\n{content}", learned) for at, line in enumerate(lines) for role, content, learned in line]
    encoded = []
    for first in range(0, len(messages), 50_000):
        encoded += [it.ids for it in tok.encode_batch_fast([text for _, text, _ in messages[first : first + 50_000]], add_special_tokens=False)]
    made = [([], []) for _ in lines]
    for (at, _, learned), ids in zip(messages, encoded):
        tokens, mask = made[at]
        tokens += [start, *ids, end, newline]
        mask += [0] * (1 + head) + [learned] * (len(ids) - head + 1) + [0] if learned else [0] * (len(ids) + 3)
    return [(torch.tensor(tokens, dtype=torch.int32), torch.tensor(mask, dtype=torch.bool)) for tokens, mask in made if len(tokens) <= LONGEST]


def batches(data, size, seed):
    """Batches of about `size` tokens without end, of conversations of like length."""
    r = random.Random(seed)
    while True:
        order = list(range(len(data)))
        r.shuffle(order)
        made = []
        for first in range(0, len(order), 8192):
            some, batch = sorted(order[first : first + 8192], key=lambda at: len(data[at][0])), []
            for at in some:
                if batch and (len(batch) + 1) * len(data[at][0]) > size:
                    made.append(batch)
                    batch = []
                batch.append(at)
            made.append(batch)
        r.shuffle(made)
        yield from made
        say("an epoch ends")


def loss_of(model, weights, data, batch, end):
    length = (max(len(data[at][0]) for at in batch) + 15) // 16 * 16
    tokens = torch.full((len(batch), length), end)
    learned = torch.zeros((len(batch), length), dtype=torch.bool)
    for row, at in enumerate(batch):
        ids, mask = data[at]
        tokens[row, : len(ids)], learned[row, : len(mask)] = ids.long(), mask
    tokens, learned = tokens.to(model.device), learned.to(model.device)
    hidden = model.hidden(tokens, weights)[:, :-1]
    chosen = learned[:, 1:]
    return F.cross_entropy(model.logits(hidden[chosen]), tokens[:, 1:][chosen]), tokens.numel()


def compiled(model, data, batch, end):
    """The layer made faster, where the machine can; as it is where not."""
    try:
        model.block = torch.compile(layer, dynamic=True)
        loss_of(model, model.merged(), data, batch, end)[0].backward()
        say("compiled")
    except Exception as error:  # Whatever is wrong with the compiler, training goes on without.
        say("not compiled:", type(error).__name__, str(error)[:300])
        model.block = layer
    model.zero_grad(set_to_none=True)


def train(model, data, options, end):
    parameters = [*model.a.values(), *model.b.values()]
    say(f"{sum(it.numel() for it in parameters) / 1e6:.2f} M parameters in the adapter")
    optimizer = torch.optim.AdamW(parameters, lr=options.lr, betas=(0.9, 0.98), weight_decay=0.01)
    began, steps, seen, mean = time.time(), 0, 0, 0.0
    for batch in batches(data, options.tokens, options.seed):
        # Counted from the program's start: what came before training comes out of its time.
        done = max((time.time() - began) / max(1.0, options.seconds - (began - BEGAN)), steps / options.steps if options.steps else 0)
        if done >= 1:
            break
        rate = options.lr * min(1, (steps + 1) / 50) * (0.5 * (1 + math.cos(math.pi * done)) * 0.98 + 0.02)
        for group in optimizer.param_groups:
            group["lr"] = rate
        loss, count = loss_of(model, model.merged(), data, batch, end)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        steps, seen = steps + 1, seen + count
        mean = loss.item() if steps == 1 else 0.98 * mean + 0.02 * loss.item()
        if steps % 50 == 0 or options.tiny:
            say(f"step {steps}, loss {mean:.4f}, {seen / 1e6:.1f} M tokens, {seen / (time.time() - began) / 1e3:.0f} k/s, {done:.0%}")
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
    parser.add_argument("--tokens", type=int, default=49_152, help="in a step")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--part", default="1/1", help="the part of the data that is read: 2/3 is the second third")
    parser.add_argument("--resume", type=pathlib.Path, help="an adapter to go on from")
    parser.add_argument("--tiny", action="store_true", help="two layers and a few steps, to see that it runs")
    options = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    torch.manual_seed(options.seed)
    if options.tiny:
        options.seconds, options.steps, options.tokens = 600, 4, 2048
    options.into.mkdir(parents=True, exist_ok=True)

    path = options.data / "tokenizer.json"
    if not path.exists():
        tokenizer(Gguf(options.base)).save(str(path))
    tok = Tokenizer.from_file(str(path))
    end = tok.token_to_id(END)
    lines = conversations(options.data, options.part, 200 if options.tiny else None)
    say(len(lines), "conversations")
    data = examples(tok, lines)
    del lines
    say(f"{len(data)} kept, {sum(len(it) for it, _ in data) / 1e6:.1f} M tokens, {sum(int(it.sum()) for _, it in data) / 1e6:.1f} M learned, the longest {max(len(it) for it, _ in data)}")
    model = Llama(options.base, options.rank, device, layers=2 if options.tiny else None)
    say("loaded on", device)
    if options.resume:
        load(model, options.resume)
        say("goes on from", options.resume)
    if device == "cuda" and not options.tiny:
        compiled(model, data, next(batches(data, options.tokens, 0)), end)
    train(model, data, options, end)
    name = options.into / ("adapter-tiny.safetensors" if options.tiny else "adapter.safetensors")
    say("adapter:", save(model, name, options.bits), "bytes")
    test = json.loads((options.data / "test.json").read_text())
    report = score(model, tok, test, most=8 if options.tiny else 160, limit=4 if options.tiny else None)
    (options.into / "report.json").write_text(json.dumps(report, indent=1))
    say("done")


if __name__ == "__main__":
    main()
