import { type Environment, isKnownEnvironment, isQuoted, settingOf } from './environment.ts'

/** Returns remarks on settings that are valid, but may not be what was meant. */
export const envRemarks = (env: Environment, known: readonly string[], useProxy = usesProxy()): string[] => {
  const quoted = known.filter(name => isQuoted(String(env[name] ?? '').trim()))
  const environment = settingOf(env, 'NODE_ENV')
  const proxy = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].find(
    name => settingOf(env, name) !== undefined,
  )
  return [
    ...(quoted.length === 0
      ? []
      : [
          `the quotes around ${quoted.join(', ')} do not count as a part of the value; docker --env-file passes them on`,
        ]),
    ...(environment === undefined || isKnownEnvironment(environment)
      ? []
      : [
          `NODE_ENV '${environment.slice(0, 40)}' is unknown and counts as production; set development, test or production`,
        ]),
    ...(proxy === undefined || useProxy || (settingOf(env, 'NODE_USE_ENV_PROXY') ?? '0') !== '0'
      ? []
      : [`${proxy} is set, but requests do not use it; set NODE_USE_ENV_PROXY=1 in the environment of the process`]),
  ]
}

/** Whether Node was started with an option that makes it use proxies. */
const usesProxy = (): boolean =>
  [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(/\s+/)].includes('--use-env-proxy')
