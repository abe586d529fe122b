export default {
  base: './',
  optimizeDeps: { exclude: ['heed'] },
};
