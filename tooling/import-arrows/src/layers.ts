/**
 * Layers inside packages, the lowest first: a folder of `src` imports folders of lower layers only. `.` are the files of `src`
 * itself.
 */
export const layers: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'packages/cli': [
    ['process'],
    ['output'],
    ['errors'],
    ['ask', 'command', 'home'],
    ['http'],
    ['bot', 'devnet', 'package-manager', 'signing'],
    ['env'],
    ['project'],
    ['keystore', 'oracle'],
    ['registry'],
    ['scaffold'],
    ['commands'],
    ['.'],
  ],
  'packages/mcp-client': [['connection', 'errors'], ['reading'], ['link'], ['calls'], ['.']],
  'packages/plugins/entities': [
    ['errors', 'records'],
    ['access', 'storage'],
    ['changes', 'graph', 'protocols'],
    ['state'],
    ['history'],
    ['reading', 'resolver', 'writing'],
    ['directory', 'erasing', 'search'],
    ['tools'],
    ['.'],
  ],
  'packages/plugins/ussd': [
    ['errors', 'storage', 'text'],
    ['requests'],
    ['customers', 'flow', 'providers'],
    ['languages', 'people', 'sessions', 'tools'],
    ['gateway', 'questions'],
    ['default-flow', 'operators'],
    ['keys'],
    ['.', 'testing'],
  ],
  'packages/registry-ixo': [
    ['errors', 'libraries'],
    ['account', 'rpc'],
    ['messages'],
    ['records', 'transactions'],
    ['.'],
  ],
  'packages/storage': [
    ['errors', 'logging', 'words'],
    ['sql', 'time'],
    ['migrations'],
    ['contract', 'transactions'],
    ['parts', 'postgres', 'restores', 'sqlite'],
    ['jobs'],
    ['.', 'testing'],
  ],
}
