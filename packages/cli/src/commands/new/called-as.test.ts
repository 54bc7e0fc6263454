import { expect, test } from 'vitest'
import { calledAs } from './command-line.ts'

test.each([
  ['sibyl new', {}],
  ['sibyl new', { npm_config_user_agent: 'bun/1.0' }],
  ['npm create sibyl --', { npm_config_user_agent: 'npm/11.0.0 node/v24', npm_lifecycle_script: 'create-sibyl' }],
  ['pnpm create sibyl', { npm_config_user_agent: 'pnpm/12.0.0', npm_lifecycle_script: 'create-sibyl' }],
  ['yarn create sibyl', { npm_config_user_agent: 'yarn/4.0.0', npm_lifecycle_script: 'create-sibyl' }],
  ['npx sibyl new', { npm_config_user_agent: 'npm/11.0.0', npm_lifecycle_script: 'sibyl' }],
  ['pnpm sibyl new', { npm_config_user_agent: 'pnpm/12.0.0' }],
])('%s', (words, env) => {
  expect(calledAs(env)).toBe(words)
})
