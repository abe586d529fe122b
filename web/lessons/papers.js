/**
 * The papers that the lessons cite. `<cite data-paper="NAME">§3</cite>` in a lesson becomes a link.
 * @typedef {object} Paper
 * @property {string} by     how the text names it
 * @property {string} authors
 * @property {number} year
 * @property {string} title
 * @property {string} at     where it was published
 * @property {string} url
 */

/** @type {Readonly<Record<string, Paper>>} */
export const PAPERS = {
  ba: { by: 'Ba et al.', authors: 'Jimmy Lei Ba, Jamie Ryan Kiros, Geoffrey E. Hinton', year: 2016,
    title: 'Layer Normalization', at: 'arXiv:1607.06450', url: 'https://arxiv.org/abs/1607.06450' },
  bahdanau: { by: 'Bahdanau et al.', authors: 'Dzmitry Bahdanau, Kyunghyun Cho, Yoshua Bengio', year: 2015,
    title: 'Neural Machine Translation by Jointly Learning to Align and Translate', at: 'ICLR',
    url: 'https://arxiv.org/abs/1409.0473' },
  brown: { by: 'Brown et al.', authors: 'Tom B. Brown and others', year: 2020,
    title: 'Language Models are Few-Shot Learners', at: 'NeurIPS', url: 'https://arxiv.org/abs/2005.14165' },
  cho: { by: 'Cho et al.', authors: 'Kyunghyun Cho, Bart van Merriënboer, Caglar Gulcehre, Dzmitry Bahdanau, Fethi '
    + 'Bougares, Holger Schwenk, Yoshua Bengio', year: 2014,
    title: 'Learning Phrase Representations using RNN Encoder–Decoder for Statistical Machine Translation', at: 'EMNLP',
    url: 'https://arxiv.org/abs/1406.1078' },
  dosovitskiy: { by: 'Dosovitskiy et al.', authors: 'Alexey Dosovitskiy and others', year: 2021,
    title: 'An Image is Worth 16x16 Words: Transformers for Image Recognition at Scale', at: 'ICLR',
    url: 'https://arxiv.org/abs/2010.11929' },
  elfwing: { by: 'Elfwing et al.', authors: 'Stefan Elfwing, Eiji Uchibe, Kenji Doya', year: 2018,
    title: 'Sigmoid-Weighted Linear Units for Neural Network Function Approximation in Reinforcement Learning',
    at: 'Neural Networks', url: 'https://arxiv.org/abs/1702.03118' },
  hendrycks: { by: 'Hendrycks and Gimpel', authors: 'Dan Hendrycks, Kevin Gimpel', year: 2016,
    title: 'Gaussian Error Linear Units (GELUs)', at: 'arXiv:1606.08415', url: 'https://arxiv.org/abs/1606.08415' },
  jain: { by: 'Jain and Wallace', authors: 'Sarthak Jain, Byron C. Wallace', year: 2019,
    title: 'Attention is not Explanation', at: 'NAACL', url: 'https://arxiv.org/abs/1902.10186' },
  ji: { by: 'Ji et al.', authors: 'Shuiwang Ji, Yaochen Xie, Hongyang Gao', year: 2019,
    title: 'A Mathematical View of Attention Models in Deep Learning', at: 'Texas A&M University',
    url: 'https://people.tamu.edu/~sji/classes/attn.pdf' },
  lindner: { by: 'Lindner et al.', authors: 'David Lindner, János Kramár, Sebastian Farquhar, Matthew Rahtz, Thomas '
    + 'McGrath, Vladimir Mikulik', year: 2023,
    title: 'Tracr: Compiled Transformers as a Laboratory for Interpretability', at: 'NeurIPS',
    url: 'https://arxiv.org/abs/2301.05062' },
  luong: { by: 'Luong et al.', authors: 'Minh-Thang Luong, Hieu Pham, Christopher D. Manning', year: 2015,
    title: 'Effective Approaches to Attention-based Neural Machine Translation', at: 'EMNLP',
    url: 'https://arxiv.org/abs/1508.04025' },
  mcgrath: { by: 'McGrath et al.', authors: 'Thomas McGrath, Matthew Rahtz, Janos Kramar, Vladimir Mikulik, Shane Legg',
    year: 2023, title: 'The Hydra Effect: Emergent Self-repair in Language Model Computations', at: 'arXiv:2307.15771',
    url: 'https://arxiv.org/abs/2307.15771' },
  meng: { by: 'Meng et al.', authors: 'Kevin Meng, David Bau, Alex Andonian, Yonatan Belinkov', year: 2022,
    title: 'Locating and Editing Factual Associations in GPT', at: 'NeurIPS', url: 'https://arxiv.org/abs/2202.05262' },
  olsson: { by: 'Olsson et al.', authors: 'Catherine Olsson and others', year: 2022,
    title: 'In-context Learning and Induction Heads', at: 'Transformer Circuits Thread',
    url: 'https://transformer-circuits.pub/2022/in-context-learning-and-induction-heads/' },
  radford: { by: 'Radford et al.', authors: 'Alec Radford, Jeffrey Wu, Rewon Child, David Luan, Dario Amodei, Ilya '
    + 'Sutskever', year: 2019, title: 'Language Models are Unsupervised Multitask Learners', at: 'OpenAI',
    url: 'https://cdn.openai.com/better-language-models/language_models_are_unsupervised_multitask_learners.pdf' },
  shazeer: { by: 'Shazeer', authors: 'Noam Shazeer', year: 2020, title: 'GLU Variants Improve Transformer',
    at: 'arXiv:2002.05202', url: 'https://arxiv.org/abs/2002.05202' },
  su: { by: 'Su et al.', authors: 'Jianlin Su, Yu Lu, Shengfeng Pan, Ahmed Murtadha, Bo Wen, Yunfeng Liu', year: 2021,
    title: 'RoFormer: Enhanced Transformer with Rotary Position Embedding', at: 'arXiv:2104.09864',
    url: 'https://arxiv.org/abs/2104.09864' },
  sutskever: { by: 'Sutskever et al.', authors: 'Ilya Sutskever, Oriol Vinyals, Quoc V. Le', year: 2014,
    title: 'Sequence to Sequence Learning with Neural Networks', at: 'NeurIPS',
    url: 'https://arxiv.org/abs/1409.3215' },
  turner: { by: 'Turner et al.', authors: 'Alexander Matt Turner and others', year: 2023,
    title: 'Activation Addition: Steering Language Models Without Optimization', at: 'arXiv:2308.10248',
    url: 'https://arxiv.org/abs/2308.10248' },
  vaswani: { by: 'Vaswani et al.', authors: 'Ashish Vaswani, Noam Shazeer, Niki Parmar, Jakob Uszkoreit, Llion Jones, '
    + 'Aidan N. Gomez, Łukasz Kaiser, Illia Polosukhin', year: 2017, title: 'Attention Is All You Need', at: 'NeurIPS',
    url: 'https://arxiv.org/abs/1706.03762' },
  weiss: { by: 'Weiss et al.', authors: 'Gail Weiss, Yoav Goldberg, Eran Yahav', year: 2021,
    title: 'Thinking Like Transformers', at: 'ICML', url: 'https://arxiv.org/abs/2106.06981' },
  wiegreffe: { by: 'Wiegreffe and Pinter', authors: 'Sarah Wiegreffe, Yuval Pinter', year: 2019,
    title: 'Attention is not not Explanation', at: 'EMNLP', url: 'https://arxiv.org/abs/1908.04626' },
  williams: { by: 'Williams and Zipser', authors: 'Ronald J. Williams, David Zipser', year: 1989,
    title: 'A Learning Algorithm for Continually Running Fully Recurrent Neural Networks', at: 'Neural Computation',
    url: 'https://doi.org/10.1162/neco.1989.1.2.270' },
  wu: { by: 'Wu et al.', authors: 'Yonghui Wu and others', year: 2016, title: 'Google’s Neural Machine Translation '
    + 'System: Bridging the Gap between Human and Machine Translation', at: 'arXiv:1609.08144',
    url: 'https://arxiv.org/abs/1609.08144' },
  xiong: { by: 'Xiong et al.', authors: 'Ruibin Xiong, Yunchang Yang, Di He, Kai Zheng, Shuxin Zheng, Chen Xing, '
    + 'Huishuai Zhang, Yanyan Lan, Liwei Wang, Tie-Yan Liu', year: 2020,
    title: 'On Layer Normalization in the Transformer Architecture', at: 'ICML',
    url: 'https://arxiv.org/abs/2002.04745' },
  yang: { by: 'Yang et al.', authors: 'Zichao Yang, Diyi Yang, Chris Dyer, Xiaodong He, Alex Smola, Eduard Hovy',
    year: 2016, title: 'Hierarchical Attention Networks for Document Classification', at: 'NAACL',
    url: 'https://aclanthology.org/N16-1174/' },
  xu: { by: 'Xu et al.', authors: 'Kelvin Xu, Jimmy Ba, Ryan Kiros, Kyunghyun Cho, Aaron Courville, '
    + 'Ruslan Salakhutdinov, Richard Zemel, Yoshua Bengio', year: 2015,
    title: 'Show, Attend and Tell: Neural Image Caption Generation with Visual Attention', at: 'ICML',
    url: 'https://arxiv.org/abs/1502.03044' },
  zhang: { by: 'Zhang and Sennrich', authors: 'Biao Zhang, Rico Sennrich', year: 2019,
    title: 'Root Mean Square Layer Normalization', at: 'NeurIPS', url: 'https://arxiv.org/abs/1910.07467' },
};
