import type { Diagram } from './render-diagram.ts'

/** The parts of an oracle and what it connects to. */
export const architecture: Diagram = {
  title: 'Architecture of an oracle',
  description:
    'Browsers, programs, phones and Matrix rooms send requests to the oracle. Inside it, the gate authenticates and limits them, the agent runs turns, and plugins add tools, routes, tables and jobs. The oracle uses a language model, a database, a registry and external services.',
  size: [760, 440],
  boxes: [
    { at: [20, 20], size: [220, 62], title: 'Browser, CLI, program', lines: ['signed requests'] },
    { at: [270, 20], size: [220, 62], title: 'Any phone', lines: ['USSD and SMS gateways'] },
    { at: [520, 20], size: [220, 62], title: 'Matrix room', lines: ['messages of members'] },
    { at: [20, 118], size: [720, 200], title: 'Oracle', tone: 'frame' },
    {
      at: [40, 158],
      size: [200, 140],
      title: 'Gate',
      lines: ['authentication', 'abilities', 'rate limits', 'token budgets'],
    },
    {
      at: [280, 158],
      size: [200, 140],
      title: 'Agent',
      lines: ['turns and sessions', 'tool calls', 'approvals', 'streams'],
      tone: 'strong',
    },
    {
      at: [520, 158],
      size: [200, 140],
      title: 'Plugins',
      lines: ['tools and routes', 'tables and jobs', 'services', 'hooks'],
    },
    { at: [20, 354], size: [165, 66], title: 'Database', lines: ['SQLite or PostgreSQL'] },
    { at: [205, 354], size: [165, 66], title: 'Language model', lines: ['or the offline model'] },
    { at: [390, 354], size: [165, 66], title: 'Registry', lines: ['DIDs and entities'] },
    { at: [575, 354], size: [165, 66], title: 'Services', lines: ['MCP, web, telecom'] },
  ],
  arrows: [
    {
      path: [
        [130, 82],
        [130, 156],
      ],
    },
    {
      path: [
        [380, 82],
        [380, 104],
        [160, 104],
        [160, 156],
      ],
    },
    {
      path: [
        [630, 82],
        [630, 156],
      ],
    },
    {
      path: [
        [240, 228],
        [278, 228],
      ],
    },
    {
      path: [
        [480, 228],
        [518, 228],
      ],
    },
    {
      path: [
        [102, 318],
        [102, 352],
      ],
    },
    {
      path: [
        [287, 318],
        [287, 352],
      ],
    },
    {
      path: [
        [472, 318],
        [472, 352],
      ],
    },
    {
      path: [
        [657, 318],
        [657, 352],
      ],
    },
  ],
}
