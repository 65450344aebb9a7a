"""The real classes of transformers at sizes that fit a test, tokenizers and all, with random weights."""

import string
from collections.abc import Callable
from pathlib import Path

import torch
from transformers import (
    BertTokenizer,
    CLIPConfig,
    CLIPImageProcessor,
    CLIPModel,
    CLIPProcessor,
    CLIPTokenizer,
    GroundingDinoConfig,
    GroundingDinoForObjectDetection,
    GroundingDinoImageProcessor,
    GroundingDinoProcessor,
    Owlv2Config,
    Owlv2ForObjectDetection,
    Owlv2ImageProcessor,
    Owlv2Processor,
    Sam2Config,
    Sam2ImageProcessor,
    Sam2Model,
    Sam2Processor,
    Siglip2Tokenizer,
    SiglipConfig,
    SiglipImageProcessor,
    SiglipModel,
    SiglipProcessor,
    SwinConfig,
)

_SIDE = 64
_LAYERS = {"hidden_size": 16, "intermediate_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2}
_SIZE = {"height": _SIDE, "width": _SIDE}


def grounding_dino(folder: Path) -> None:
    """One layer each of Swin, BERT, encoder and decoder; a letter is a token."""
    words = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", ".", "?", *string.ascii_lowercase]
    words += [f"##{letter}" for letter in string.ascii_lowercase]
    tokenizer = BertTokenizer(vocab={word: i for i, word in enumerate(words)})
    config = GroundingDinoConfig(
        backbone_config=SwinConfig(image_size=_SIDE, embed_dim=8, depths=[1, 1, 1, 1], num_heads=[1, 1, 2, 2],
                                   window_size=4, out_features=["stage2", "stage3", "stage4"]),
        text_config={"model_type": "bert", "vocab_size": len(words), **_LAYERS},
        d_model=32, encoder_layers=1, decoder_layers=2, encoder_ffn_dim=16, decoder_ffn_dim=16,
        encoder_attention_heads=2, decoder_attention_heads=2, num_queries=9, max_text_len=40)
    pictures = GroundingDinoImageProcessor(size={"shortest_edge": _SIDE, "longest_edge": 2 * _SIDE})
    _save(folder, GroundingDinoForObjectDetection, config, GroundingDinoProcessor(pictures, tokenizer))


def owlv2(folder: Path) -> None:
    """One layer of each tower."""
    tokenizer = _clip_tokenizer()
    config = Owlv2Config(text_config={"vocab_size": len(tokenizer), "max_position_embeddings": 32, **_LAYERS},
                         vision_config={"image_size": _SIDE, "patch_size": 16, **_LAYERS}, projection_dim=16)
    _save(folder, Owlv2ForObjectDetection, config, Owlv2Processor(Owlv2ImageProcessor(size=_SIZE), tokenizer))


def sam2(folder: Path) -> None:
    """One or two blocks in each stage of Hiera."""
    side = 2 * _SIDE
    config = Sam2Config(
        vision_config={
            "backbone_config": {
                "model_type": "sam2_hiera_det_model", "hidden_size": 8, "image_size": [side, side],
                "blocks_per_stage": [1, 2, 2, 1], "embed_dim_per_stage": [8, 16, 32, 64],
                "num_attention_heads_per_stage": [1, 2, 4, 8], "window_size_per_stage": [8, 4, 4, 4],
                "global_attention_blocks": [4]},
            "backbone_channel_list": [64, 32, 16, 8], "fpn_hidden_size": 32,
            "backbone_feature_sizes": [[side // 4] * 2, [side // 8] * 2, [side // 16] * 2]},
        prompt_encoder_config={"hidden_size": 32, "image_size": side, "patch_size": 16},
        mask_decoder_config={"hidden_size": 32, "mlp_dim": 32, "num_attention_heads": 2, "iou_head_hidden_dim": 32})
    pictures = Sam2ImageProcessor(size={"height": side, "width": side}, mask_size={"height": 32, "width": 32})
    _save(folder, Sam2Model, config, Sam2Processor(pictures))


def clip(folder: Path) -> None:
    """One layer of each tower."""
    tokenizer = _clip_tokenizer()
    text = {"vocab_size": len(tokenizer), "max_position_embeddings": 32, "eos_token_id": tokenizer.eos_token_id}
    config = CLIPConfig(text_config={**text, **_LAYERS}, projection_dim=16,
                        vision_config={"image_size": _SIDE, "patch_size": 16, **_LAYERS})
    pictures = CLIPImageProcessor(size={"shortest_edge": _SIDE}, crop_size=_SIZE)
    _save(folder, CLIPModel, config, CLIPProcessor(pictures, tokenizer))


def siglip(folder: Path) -> None:
    """One layer of each tower."""
    words = ["<pad>", "<eos>", "<bos>", "<unk>", "▁", *string.ascii_lowercase]
    tokenizer = Siglip2Tokenizer(vocab={word: i for i, word in enumerate(words)}, merges=[])
    tokenizer.model_max_length = 32
    config = SiglipConfig(
        text_config={"vocab_size": len(tokenizer), "max_position_embeddings": 32, "projection_size": 16, **_LAYERS},
        vision_config={"image_size": _SIDE, "patch_size": 16, **_LAYERS})
    _save(folder, SiglipModel, config, SiglipProcessor(SiglipImageProcessor(size=_SIZE), tokenizer))


TINY: dict[str, Callable[[Path], None]] = {make.__name__: make for make in (grounding_dino, owlv2, sam2, clip, siglip)}


def _clip_tokenizer() -> CLIPTokenizer:
    """No query of OWLv2 may begin with token 0."""
    words = ["<pad>", "<|startoftext|>", "<|endoftext|>", *string.ascii_lowercase,
             *(f"{letter}</w>" for letter in string.ascii_lowercase)]
    return CLIPTokenizer(vocab={word: i for i, word in enumerate(words)}, merges=[], model_max_length=32)


def _save(folder: Path, model, config, processor) -> None:
    torch.manual_seed(0)
    model(config).eval().save_pretrained(folder)
    processor.save_pretrained(folder)
