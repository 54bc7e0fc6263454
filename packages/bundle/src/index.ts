export { bundledPlugins } from './bundled-plugins.ts'
