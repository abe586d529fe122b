/** Files beside the weights of a Hugging Face model, by their names in a source of `load`. */
export const BESIDE = Object.freeze({
  config: 'config.json', tokenizer: 'tokenizer.json', tokenizerConfig: 'tokenizer_config.json',
  generationConfig: 'generation_config.json', chatTemplate: 'chat_template.jinja',
  preprocessor: 'preprocessor_config.json', modules: 'modules.json', pooling: '1_Pooling/config.json',
  denseConfig: '2_Dense/config.json', dense: '2_Dense/model.safetensors',
  secondDenseConfig: '3_Dense/config.json', secondDense: '3_Dense/model.safetensors',
});
