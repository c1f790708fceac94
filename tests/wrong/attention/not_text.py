"""Not UTF-8, and no encoding is declared."""
# fails: causal_mask softmax attention causal_self_attention sigmoid gate
# кодировка
import numpy as np
