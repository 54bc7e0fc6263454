import { definePlugin, type Manifest } from '@sibyl/plugin'
import { runRoute } from './run-route.ts'

/**
 * An oracle for AG-UI clients, such as `HttpAgent` and CopilotKit, at `/ag-ui`.
 *
 * @example
 * await createOracleApp({ config, plugins: [weather()], adapters: [agUi()] })
 */
export const agUi = () =>
  definePlugin({
    name: 'ag-ui',
    version: '0.1.0',
    core: '^0.1.0',
    manifest,
    setup: host => ({ endpoint: '/ag-ui', routes: [runRoute(host)] }),
  })

const manifest: Manifest = {
  title: 'AG-UI',
  summary: 'AG-UI clients, such as CopilotKit, at /ag-ui.',
  whenToUse: ['an AG-UI client connects'],
}
