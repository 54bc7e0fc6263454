import { expect, test } from 'vitest'
import { z } from 'zod'
import { samplePlugin } from '../testing/sample-plugin.ts'
import { listEnvVariables } from './env-reference.ts'

test('every variable of core has a one-line description with its values, and none is required', () => {
  const variables = listEnvVariables()
  expect(variables.length).toBeGreaterThan(20)
  for (const variable of variables) {
    expect(variable.owner).toBe('core')
    expect(variable.description, variable.name).toMatch(/^[A-Z][^\n]{5,119}\.$/)
    expect(variable.takes).not.toBe('')
    expect(variable.need).toBe('optional')
  }
})

test('derives default, form, example and secrecy from the schema', () => {
  const byName = new Map(listEnvVariables().map(variable => [variable.name, variable]))
  expect(byName.get('PORT')).toMatchObject({ takes: 'whole number from 0 to 65535', default: '3000', secret: false })
  expect(byName.get('HOST')).toMatchObject({ default: '127.0.0.1, in production 0.0.0.0', example: '127.0.0.1' })
  expect(byName.get('LOG_FORMAT')).toMatchObject({ takes: 'pretty or json' })
  expect(byName.get('TRUST_PROXY_ENABLED')).toMatchObject({ takes: 'true or false', default: 'false' })
  expect(byName.get('PUBLIC_URL')?.takes).toBe('URL')
  expect([...byName.values()].filter(({ secret }) => secret).map(({ name }) => name)).toEqual([
    'ORACLE_MNEMONIC',
    'ORACLE_OPERATOR_TOKEN',
    'ORACLE_API_KEYS',
    'OPENAI_API_KEY',
    'OPENAI_EXTRA_HEADERS',
    'OTEL_EXPORTER_OTLP_HEADERS',
    'AWS_SECRET_ACCESS_KEY',
    'AWS_SESSION_TOKEN',
  ])
})

test('lists the variables of plugins next, with what requires them', () => {
  const plugin = samplePlugin('memory', {
    env: z.object({
      MEMORY_MCP_URL: z.union([z.literal('embedded:'), z.url()]).describe('Where memories are kept.'),
      MEMORY_API_KEY: z.string().optional().describe('The key of that server.'),
      MEMORY_LIMIT: z.coerce.number().min(1).default(5),
      MEMORY_TOPIC: z.string(),
      MEMORY_TAGS: z.string().transform(text => text.split(',')),
    }),
    optIn: ['MEMORY_MCP_URL'],
  })
  const variables = listEnvVariables([samplePlugin('bare'), plugin]).filter(({ owner }) => owner !== 'core')
  expect(variables).toEqual([
    {
      name: 'MEMORY_MCP_URL',
      owner: 'memory',
      description: 'Where memories are kept.',
      takes: 'embedded: or URL',
      need: 'opt-in',
      secret: false,
    },
    {
      name: 'MEMORY_API_KEY',
      owner: 'memory',
      description: 'The key of that server.',
      takes: 'text',
      need: 'optional',
      secret: true,
    },
    {
      name: 'MEMORY_LIMIT',
      owner: 'memory',
      description: '',
      takes: 'number, at least 1',
      need: 'optional',
      default: '5',
      secret: false,
    },
    { name: 'MEMORY_TOPIC', owner: 'memory', description: '', takes: 'text', need: 'required', secret: false },
    { name: 'MEMORY_TAGS', owner: 'memory', description: '', takes: 'text', need: 'required', secret: false },
  ])
})
