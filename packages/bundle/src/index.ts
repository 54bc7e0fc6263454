export { MatrixHttp } from '@sibyl/plugin-matrix'
export { type TriedServer, tryServers } from '@sibyl/plugin-mcp'
export { bundledAdapters } from './bundled-adapters.ts'
export { bundledPlugins } from './bundled-plugins.ts'
