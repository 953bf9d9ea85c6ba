"""[`Llama`]: SmolLM2's forward pass in PyTorch, from the GGUF alone, with an adapter merged in at every step.

Merging (`W + 2·B·A`, a few milliseconds for all matrices) costs less than two thin products beside each wide one,
and the pass that is trained is then exactly the pass that is run.
"""

import json
import math
import struct

import numpy as np
import torch
import torch.nn.functional as F
from torch.nn.attention.flex_attention import BlockMask, flex_attention

# Our names, the GGUF's, and the adapter's.
MATRICES = {
    "q": ("attn_q", "self_attn.q_proj"), "k": ("attn_k", "self_attn.k_proj"), "v": ("attn_v", "self_attn.v_proj"), "o": ("attn_output", "self_attn.o_proj"),
    "gate": ("ffn_gate", "mlp.gate_proj"), "up": ("ffn_up", "mlp.up_proj"), "down": ("ffn_down", "mlp.down_proj"),
}
SCALE = 2.0
END, START = "<|im_end|>", "<|im_start|>"
NUMBERS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}


class Gguf:
    """A GGUF file: its fields, and its tensors as 32-bit numbers. Only the types SmolLM2's file has."""

    def __init__(self, path):
        self.data, self.at = np.memmap(path, np.uint8, "r"), 0
        magic, version, tensors, fields = self.take("<4sIQQ")
        if magic != b"GGUF" or version != 3:
            raise ValueError("no GGUF of version 3")
        self.fields = dict((self.text(), self.field()) for _ in range(fields))
        self.tensors = {}
        for _ in range(tensors):
            name, (count,) = self.text(), self.take("<I")
            shape = self.take(f"<{count}Q")
            kind, offset = self.take("<IQ")
            self.tensors[name] = (shape[::-1], kind, offset)
        step = self.fields.get("general.alignment", 32)
        self.start = (self.at + step - 1) // step * step

    def take(self, form):
        size = struct.calcsize(form)
        values = struct.unpack(form, self.data[self.at : self.at + size].tobytes())
        self.at += size
        return values

    def text(self):
        (size,) = self.take("<Q")
        self.at += size
        return self.data[self.at - size : self.at].tobytes().decode()

    def field(self, kind=None):
        if kind is None:
            (kind,) = self.take("<I")
        if kind == 8:
            return self.text()
        if kind == 9:
            inner, count = self.take("<IQ")
            return [self.field(inner) for _ in range(count)]
        return self.take("<" + NUMBERS[kind])[0]

    def tensor(self, name):
        shape, kind, offset = self.tensors[name]
        count, at = math.prod(shape), self.start + offset
        if kind == 0:
            return self.data[at : at + 4 * count].view(np.float32).reshape(shape).copy()
        size = {3: 20, 8: 34}[kind]
        blocks = self.data[at : at + count // 32 * size].reshape(-1, size)
        scale = blocks[:, 0:2].copy().view(np.float16).astype(np.float32)
        if kind == 8:
            return (scale * blocks[:, 2:].copy().view(np.int8)).reshape(shape)
        least = blocks[:, 2:4].copy().view(np.float16).astype(np.float32)
        nibbles = np.concatenate([blocks[:, 4:] & 15, blocks[:, 4:] >> 4], 1)
        return (scale * nibbles + least).reshape(shape)


def tokenizer(gguf):
    """The GGUF's own tokenizer: byte-level BPE, every digit by itself."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    tokens = gguf.fields["tokenizer.ggml.tokens"]
    merges = [tuple(it.split(" ", 1)) for it in gguf.fields["tokenizer.ggml.merges"]]
    made = Tokenizer(models.BPE({it: at for at, it in enumerate(tokens)}, merges))
    made.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True)])
    made.decoder = decoders.ByteLevel()
    special = [it for it, kind in zip(tokens, gguf.fields["tokenizer.ggml.token_type"]) if kind == 3]
    made.add_special_tokens([AddedToken(it, special=True, normalized=False) for it in special])
    return made


def unpermuted(matrix, heads):
    """The GGUF keeps the rows of q and k for rotations of neighbours; ours rotate halves."""
    rows, columns = matrix.shape
    return matrix.reshape(heads, rows // heads // 2, 2, columns).swapaxes(1, 2).reshape(rows, columns)


def layer(x, norm_a, norm_f, q, k, v, o, gate, up, down, cos, sin, heads, kept, eps, mask):
    """One block over [rows, length, width]; `mask` says who sees whom."""
    rows, length, width = x.shape
    h = F.rms_norm(x, (width,), norm_a, eps)
    query = rotated(F.linear(h, q).view(rows, length, heads, -1).transpose(1, 2), cos, sin)
    key = rotated(F.linear(h, k).view(rows, length, kept, -1).transpose(1, 2), cos, sin)
    value = F.linear(h, v).view(rows, length, kept, -1).transpose(1, 2)
    seen = attended(query, key, value, mask)
    x = x + F.linear(seen.transpose(1, 2).reshape(rows, length, width), o)
    h = F.rms_norm(x, (width,), norm_f, eps)
    return x + F.linear(F.silu(F.linear(h, gate)) * F.linear(h, up), down)


def attended(query, key, value, mask):
    if isinstance(mask, BlockMask):
        return flex_attention(query, key, value, block_mask=mask, enable_gqa=True)
    return F.scaled_dot_product_attention(query, key, value, attn_mask=mask, enable_gqa=True)


def rotated(x, cos, sin):
    half = x.shape[-1] // 2
    return x * cos + torch.cat((-x[..., half:], x[..., :half]), -1) * sin


class Llama(torch.nn.Module):
    """The base, frozen, and the adapter's two thin matrices for each of its matrices, stacked over the layers."""

    def __init__(self, path, rank, device, layers=None):
        super().__init__()
        gguf = Gguf(path)
        field = lambda name: gguf.fields["llama." + name]
        self.count = layers or field("block_count")
        self.heads, self.kept = field("attention.head_count"), field("attention.head_count_kv")
        self.eps, self.rank, self.device = field("attention.layer_norm_rms_epsilon"), rank, device
        self.width = field("embedding_length") // self.heads
        self.frequencies = 1.0 / field("rope.freq_base") ** (torch.arange(0, self.width, 2, device=device).float() / self.width)
        self.half = torch.bfloat16 if device == "cuda" else torch.float32
        load = lambda name: torch.from_numpy(gguf.tensor(name + ".weight")).to(device)
        self.embedding = load("token_embd").to(self.half)
        self.norm = load("output_norm").to(self.half)
        self.norms = [(load(f"blk.{n}.attn_norm").to(self.half), load(f"blk.{n}.ffn_norm").to(self.half)) for n in range(self.count)]
        self.base, self.a, self.b = {}, torch.nn.ParameterDict(), torch.nn.ParameterDict()
        for name, (theirs, _) in MATRICES.items():
            stack = [gguf.tensor(f"blk.{n}.{theirs}.weight") for n in range(self.count)]
            if name in "qk":
                stack = [unpermuted(it, self.heads if name == "q" else self.kept) for it in stack]
            self.base[name] = torch.from_numpy(np.stack(stack)).to(device)
            _, rows, columns = self.base[name].shape
            self.a[name] = torch.nn.Parameter(torch.randn(self.count, rank, columns, device=device) / math.sqrt(columns))
            self.b[name] = torch.nn.Parameter(torch.zeros(self.count, rows, rank, device=device))
        self.block = layer

    def merged(self):
        """Every layer's matrices with the adapter in them."""
        whole = {name: (self.base[name] + SCALE * torch.bmm(self.b[name], self.a[name])).to(self.half).unbind(0) for name in MATRICES}
        return [tuple(whole[name][n] for name in MATRICES) for n in range(self.count)]

    def hidden(self, tokens, places, mask, weights):
        """The last layer's output over [rows, length] tokens, which stand at these places of their conversations."""
        x = self.embedding[tokens]
        angles = (places.float()[..., None] * self.frequencies).repeat(1, 1, 2)[:, None]
        cos, sin = angles.cos().to(self.half), angles.sin().to(self.half)
        for norms, matrices in zip(self.norms, weights):
            x = self.block(x, *norms, *matrices, cos, sin, self.heads, self.kept, self.eps, mask)
        return F.rms_norm(x, (x.shape[-1],), self.norm, self.eps)

    def logits(self, hidden):
        return F.linear(hidden, self.embedding).float()

    @torch.no_grad()
    def write(self, prompts, most, end):
        """Greedy continuations of prompts (lists of tokens), all at once."""
        weights = self.merged()
        rows, longest = len(prompts), max(map(len, prompts))
        room = longest + most
        tokens = torch.full((rows, longest), end, device=self.device)
        # Left-padded, so that all rows go on at the same place; what is before a row's beginning is masked.
        empty = torch.tensor([longest - len(it) for it in prompts], device=self.device)
        for row, prompt in enumerate(prompts):
            tokens[row, longest - len(prompt):] = torch.tensor(prompt, device=self.device)
        keys = torch.zeros(self.count, rows, self.kept, room, self.width, device=self.device, dtype=self.half)
        values = torch.zeros_like(keys)
        out, done, first = [], torch.zeros(rows, dtype=torch.bool, device=self.device), 0
        while len(out) < most and not bool(done.all()):
            x, length = self.embedding[tokens], tokens.shape[1]
            at = (torch.arange(first, first + length, device=self.device)[None] - empty[:, None]).clamp(min=0).float()
            angles = (at[..., None] * self.frequencies).repeat(1, 1, 2)[:, None]
            cos, sin = angles.cos().to(self.half), angles.sin().to(self.half)
            place = torch.arange(first + length, device=self.device)
            mask = (place[None, None] >= empty[:, None, None]) & (place[None, None] <= torch.arange(first, first + length, device=self.device)[None, :, None])
            mask = (mask | (place[None, None] == torch.arange(first, first + length, device=self.device)[None, :, None]))[:, None]
            for n, (norms, (q, k, v, o, gate, up, down)) in enumerate(zip(self.norms, weights)):
                h = F.rms_norm(x, (x.shape[-1],), norms[0], self.eps)
                split = lambda it, count: it.view(rows, length, count, -1).transpose(1, 2)
                keys[n][:, :, first : first + length] = rotated(split(F.linear(h, k), self.kept), cos, sin)
                values[n][:, :, first : first + length] = split(F.linear(h, v), self.kept)
                query = rotated(split(F.linear(h, q), self.heads), cos, sin)
                key, value = (it[n][:, :, : first + length].repeat_interleave(self.heads // self.kept, 1) for it in (keys, values))
                seen = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
                x = x + F.linear(seen.transpose(1, 2).reshape(rows, length, -1), o)
                h = F.rms_norm(x, (x.shape[-1],), norms[1], self.eps)
                x = x + F.linear(F.silu(F.linear(h, gate)) * F.linear(h, up), down)
            best = self.logits(F.rms_norm(x[:, -1], (x.shape[-1],), self.norm, self.eps)).argmax(-1)
            best = torch.where(done, end, best)
            out.append(best)
            done |= best == end
            first, tokens = first + length, best[:, None]
        return [[it for it in row if it != end] for row in torch.stack(out, 1).tolist()]

    def adapter(self):
        """The adapter by the names it is kept under."""
        for name, (_, kept) in MATRICES.items():
            for n in range(self.count):
                yield f"model.layers.{n}.{kept}.lora_a", self.a[name][n].detach().float().cpu()
                yield f"model.layers.{n}.{kept}.lora_b", self.b[name][n].detach().float().cpu()


def load(model, path):
    """Goes on from an adapter that [`save`] wrote, in 8 or 16 bits."""
    with open(path, "rb") as file:
        (size,) = struct.unpack("<Q", file.read(8))
        head, data = json.loads(file.read(size)), file.read()
    kinds = {"F16": np.float16, "F32": np.float32, "I8": np.int8}

    def tensor(name):
        about = head[name]
        first, last = about["data_offsets"]
        return np.frombuffer(data[first:last], kinds[about["dtype"]]).reshape(about["shape"]).astype(np.float32)

    for name, (_, kept) in MATRICES.items():
        for n in range(model.count):
            for part, into in (("lora_a", model.a), ("lora_b", model.b)):
                one = f"model.layers.{n}.{kept}.{part}"
                matrix = torch.from_numpy(tensor(one) * (tensor(one + ".scale")[:, None] if one + ".scale" in head else 1))
                # One of a lower rank goes on as it was: what it has not adds nothing as yet.
                whole = into[name].data[n]
                whole[: matrix.shape[0], : matrix.shape[1]] = matrix.to(whole.device)


def save(model, path, bits):
    """The adapter as safetensors: 16-bit numbers, or 8-bit ones with a scale a row. Gives the file's size."""
    tensors = {}
    for name, matrix in model.adapter():
        if bits == 16:
            tensors[name] = matrix.half().numpy()
            continue
        scale = matrix.abs().amax(1).clamp(min=1e-8) / 127
        tensors[name] = (matrix / scale[:, None]).round().clamp(-127, 127).to(torch.int8).numpy()
        tensors[name + ".scale"] = scale.numpy()
    about = {"scale": str(SCALE), "rank": str(model.rank), "form": "y = Wx + scale * B(Ax)", "base": "SmolLM2-135M-Instruct Q4_1 (dequantised)"}
    kinds = {"float16": "F16", "float32": "F32", "int8": "I8"}
    head, at = {"__metadata__": about}, 0
    for name in sorted(tensors):
        size = tensors[name].nbytes
        head[name] = {"dtype": kinds[str(tensors[name].dtype)], "shape": list(tensors[name].shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(tensors[name].tobytes() for name in sorted(tensors)))
    return at + len(text) + 8
