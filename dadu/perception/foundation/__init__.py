"""Published foundation models as detectors, through transformers (extra ``vision``): boxes, masks, embeddings."""
