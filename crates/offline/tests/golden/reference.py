"""What llama.cpp makes of the models that `models_are_written_down` wrote: families.json.

    pip install gguf llama-cpp-python
    TINY_MODELS=FOLDER cargo test -p toolwright-offline --lib -- --ignored models_are_written_down
    python reference.py FOLDER > families.json

The numbers are written out first, by the package `gguf`: so the two are held apart, how numbers are stored and what
is done with them, and llama.cpp has no numbers of its own to round.
"""

import json
import pathlib
import sys

import gguf
import numpy
from llama_cpp import Llama

TEXT = (
    "<|im_start|>user\nIt's the 12345 days IN the inn,  \n\n  don'T:\t\"the\" <tool_call> é日本 \r\n x<|im_end|>\n<|x|>"
)


def written_out(path: pathlib.Path, to: pathlib.Path) -> None:
    """The same model with numbers of 32 bits."""
    reader = gguf.GGUFReader(path)
    family = reader.get_field("general.architecture").contents()
    writer = gguf.GGUFWriter(to, family)
    for field in reader.fields.values():
        if field.name.startswith("GGUF.") or field.name == "general.architecture":
            continue
        kind = field.types[0]
        inner = field.types[-1] if kind == gguf.GGUFValueType.ARRAY else None
        writer.add_key_value(field.name, field.contents(), kind, sub_type=inner)
    for tensor in reader.tensors:
        numbers = gguf.quants.dequantize(tensor.data, tensor.tensor_type)
        numbers = numbers.reshape([int(it) for it in reversed(tensor.shape)])
        writer.add_tensor(tensor.name, numbers.astype(numpy.float32))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def case(path: pathlib.Path) -> dict:
    plain = path.with_suffix(".f32")
    written_out(path, plain)
    model = Llama(str(plain), n_ctx=512, logits_all=True, verbose=False, type_k=0, type_v=0)
    tokens = model.tokenize(TEXT.encode(), add_bos=False, special=True)
    model.eval(tokens)
    logits = model.scores[len(tokens) - 1]
    some = list(range(0, len(logits), 7))
    return {"name": path.stem, "tokens": tokens, "logits": [[it, round(float(logits[it]), 5)] for it in some]}


if __name__ == "__main__":
    cases = [case(path) for path in sorted(pathlib.Path(sys.argv[1]).glob("*.gguf"))]
    print("[" + ",\n".join(json.dumps(it) for it in cases) + "]")
