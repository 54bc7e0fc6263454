import type { DoctorContext } from './doctor-context.ts'
import { type Finding, findingsOf } from './finding.ts'
import { isLocal } from './identity-check.ts'

/** Checks what has to be set where strangers reach the oracle: with NODE_ENV=production. */
export const checkProduction = async ({ project, inspection, setting }: DoctorContext): Promise<Finding[]> => {
  if (!project) return []
  const found = await inspection
  if ((found?.oracle.environment ?? setting('NODE_ENV')) !== 'production') return []
  const findings: Finding[] = []
  const add = (check: string, state: 'warn' | 'fail', message: string, fix: string) =>
    findings.push(findingsOf('Production', check)[state](message, fix))
  const plugin = (name: string) => found?.plugins.some(one => one.name === name && one.state !== 'excluded') ?? false

  if (setting('ORACLE_CONTROLLERS') === undefined && setting('ORACLE_ACCESS') !== 'open') {
    const fix = 'Set it to your DID: sibyl token whoami'
    add('controllers', 'fail', 'ORACLE_CONTROLLERS is blank: nobody can be let in.', fix)
  }
  if (setting('ORACLE_MNEMONIC') === undefined) {
    add('mnemonic', 'fail', 'ORACLE_MNEMONIC is blank: nobody can sign in.', 'To make one: sibyl keys rotate --oracle')
  }
  if (setting('ORACLE_OPERATOR_TOKEN') === undefined) {
    const fix = 'Set it to the output of: openssl rand -hex 32'
    add('operator-token', 'warn', "ORACLE_OPERATOR_TOKEN is blank: the operator's routes are closed.", fix)
  }
  if (plugin('ussd')) {
    if (setting('USSD_OPERATOR_TOKEN') === undefined) {
      const fix = 'Set it to the output of: openssl rand -hex 32'
      add('ussd-operator-token', 'warn', 'USSD_OPERATOR_TOKEN is blank: no customer can be helped.', fix)
    }
    if (!/^(true|1|yes|on|y|enabled)$/i.test(setting('USSD_GATEWAY_ONLY') ?? '')) {
      const fix =
        'Name the gateways in USSD_TRUSTED_GATEWAYS, or give them USSD_GATEWAY_SECRET, and USSD_GATEWAY_ONLY=true'
      add('ussd-gateway', 'fail', 'USSD_GATEWAY_ONLY is off: anybody can pretend to be any phone.', fix)
    }
  }
  const url = setting('PUBLIC_URL')
  if (url === undefined || isLocal(url)) {
    const fix = 'Set it to where the world reaches the oracle: https://oracle.example.org'
    add('public-url', 'fail', 'PUBLIC_URL is blank or this computer: its DIDs resolve nowhere else.', fix)
  } else if (url.startsWith('http:')) {
    add('public-url', 'warn', 'PUBLIC_URL is plain HTTP: tokens can be read on the way.', 'Put HTTPS in front of it.')
  }
  return findings.length > 0
    ? findings
    : [findingsOf('Production', 'settings').ok('what strangers need closed is closed')]
}
