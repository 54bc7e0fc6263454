export { type TriedServer, tryServers } from '@sibyl/plugin-mcp'
export { bundledPlugins } from './bundled-plugins.ts'
