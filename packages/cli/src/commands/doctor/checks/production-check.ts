import { isLoopback } from '../../../home/known-oracles.ts'
import type { DoctorContext } from './doctor-context.ts'
import { type Finding, findingsOf } from './finding.ts'

/** Checks the settings that a public oracle needs: with NODE_ENV=production. */
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
    add('controllers', 'fail', 'ORACLE_CONTROLLERS is blank, so no user can get access.', fix)
  }
  if (setting('ORACLE_MNEMONIC') === undefined) {
    add(
      'mnemonic',
      'fail',
      'ORACLE_MNEMONIC is blank, so no user can sign in.',
      'To create one: sibyl keys rotate --oracle',
    )
  }
  if (setting('ORACLE_OPERATOR_TOKEN') === undefined) {
    const fix = 'Set it to output of openssl rand -hex 32'
    add('operator-token', 'warn', 'ORACLE_OPERATOR_TOKEN is blank, so the operator routes are closed.', fix)
  }
  if (plugin('ussd')) {
    if (setting('USSD_OPERATOR_TOKEN') === undefined) {
      const fix = 'Set it to output of openssl rand -hex 32'
      add(
        'ussd-operator-token',
        'warn',
        'USSD_OPERATOR_TOKEN is blank, so the routes for customer support are closed.',
        fix,
      )
    }
    if (!/^(true|1|yes|on|y|enabled)$/i.test(setting('USSD_GATEWAY_ONLY') ?? '')) {
      const fix =
        'List the gateways in USSD_TRUSTED_GATEWAYS, or share USSD_GATEWAY_SECRET with them, and set USSD_GATEWAY_ONLY=true'
      add('ussd-gateway', 'fail', 'USSD_GATEWAY_ONLY is off, so any caller can claim any phone number.', fix)
    }
  }
  const url = setting('PUBLIC_URL')
  if (url === undefined || isLoopback(url)) {
    const fix = 'Set it to the public address of the oracle: https://oracle.example.org'
    add('public-url', 'fail', 'PUBLIC_URL is blank or local, so its DIDs do not resolve elsewhere.', fix)
  } else if (url.startsWith('http:')) {
    add('public-url', 'warn', 'PUBLIC_URL is plain HTTP, so tokens can be intercepted.', 'Serve it over HTTPS.')
  }
  return findings.length > 0
    ? findings
    : [findingsOf('Production', 'settings').ok('routes that must be closed are closed')]
}
