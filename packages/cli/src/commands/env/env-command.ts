import { jsonOption } from '../../command/common-options.ts'
import { defineCommand, type OptionsOf } from '../../command/define-command.ts'

const envInitOptions = {
  mnemonicFile: { value: '<file>', summary: 'a file with the mnemonic of the oracle, - for stdin (or SIBYL_MNEMONIC)' },
  newMnemonic: { summary: 'create a new mnemonic, even if the oracle is registered with another one' },
} as const

export type EnvInitOptions = OptionsOf<typeof envInitOptions & typeof jsonOption>

const envExampleOptions = {
  write: { summary: 'write the file into the project' },
  check: { summary: 'exit code 1 if the file in the project differs' },
} as const

export type EnvExampleOptions = OptionsOf<typeof envExampleOptions & typeof jsonOption>

const help = `The variables depend on the plugins of the oracle, so these commands run its main.ts without listening or opening the
database. The environment overrides .env, and .env overrides oracle.config.json.
Secret values are never shown.`

const initHelp = `Creates .env, or adds missing secrets to an existing one: ORACLE_MNEMONIC, PIN_ENCRYPTION_KEY, ENTITIES_API_KEYS,
ORACLE_OPERATOR_TOKEN and USSD_OPERATOR_TOKEN. Existing entries stay unchanged, including blank ones.
ORACLE_MNEMONIC determines the identity of the oracle. If the oracle is already registered, the command asks for its
mnemonic, or reads it from --mnemonic-file or SIBYL_MNEMONIC.`

const initCommand = defineCommand({
  name: 'init',
  summary: 'create .env, or add missing secrets',
  help: initHelp,
  examples: [
    'sibyl env init',
    'sibyl env init --mnemonic-file ./words      with the mnemonic of the registered oracle',
    'sibyl env init --new-mnemonic               create another oracle',
  ],
  exits: '0 done, 2 usage, 3 configuration, 130 interrupted.',
  options: { ...jsonOption, ...envInitOptions },
  run: async ({ options, io }) => (await import('./init-env.ts')).initEnv(options, io),
})

const checkCommand = defineCommand({
  name: 'check',
  summary: 'check the settings; exit code 3 if a problem is found',
  help: 'Checks .env, the environment and oracle.config.json like the oracle, and shows a remedy for each mistake.',
  examples: ['sibyl env check', "sibyl env check --json | jq -r '.findings[].message'"],
  exits: '0 no problems, 2 usage, 3 problems, 130 interrupted.',
  options: jsonOption,
  run: async ({ options, io }) => (await import('./check-env.ts')).checkEnv(options, io),
})

const exampleCommand = defineCommand({
  name: 'example',
  summary: 'print .env.example: every variable, commented out',
  help: 'Without an option it is printed. Outside of a project it contains the variables of the bundled plugins.',
  examples: [
    'sibyl env example              print it',
    'sibyl env example --write      update it after adding a plugin',
    'sibyl env example --check      check in CI that it is up to date',
  ],
  exits: '0 done, 1 not up to date, 2 usage, 3 configuration, 130 interrupted.',
  options: { ...jsonOption, ...envExampleOptions },
  run: async ({ options, io }) => (await import('./show-env-example.ts')).showEnvExample(options, io),
})

const explainCommand = defineCommand({
  name: 'explain',
  summary: 'explain a variable: purpose, accepted values, and source of its value',
  help: 'Outside of a project it covers the bundled plugins.',
  examples: [
    'sibyl env explain              list all variables, and mark those that are set',
    'sibyl env explain PORT         explain one',
  ],
  exits: '0 done, 2 usage or no such variable, 3 configuration, 130 interrupted.',
  positionals: { variable: { optional: true, summary: 'the variable (default: list all)' } },
  options: jsonOption,
  run: async ({ positionals: { variable }, options, io }) =>
    (await import('./explain-env.ts')).explainEnv(variable, options, io),
})

export const envCommand = defineCommand({
  name: 'env',
  summary: 'create, check and explain the .env of an oracle',
  help,
  examples: [
    'sibyl env check                 invalid, missing and mistyped variables, and disabled plugins',
    'sibyl env init                  after git clone: create .env with new secrets',
    'sibyl env explain               list all variables, and mark those that are set',
    'sibyl env explain PORT          explain one: purpose, accepted values, source',
    'sibyl env example --write       update .env.example after adding a plugin',
  ],
  exits: '0 done, 1 failed, 2 usage, 3 configuration, 130 interrupted.',
  commands: [initCommand, checkCommand, exampleCommand, explainCommand],
})
