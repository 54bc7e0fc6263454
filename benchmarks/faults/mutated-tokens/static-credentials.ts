import { mintInvocation } from '@sibyl/identity'
import type { Random } from '../frame/random.ts'
import type { OracleProcess } from '../frame/start-oracle.ts'
import type { CastKeys } from './cast.ts'

/** The API key of the run. */
export const apiKeyOfRun = 'n7Qb2xW9sT4kLm8ZpR3vYc6HdJf5Gg1A'

/** Exchanges an invocation of the controller for a bearer that may do what the run's route asks for. */
export const exchangeBearer = async ({ url, did }: OracleProcess, { controller }: CastKeys): Promise<string> => {
  const abilities = ['auth/token', 'chat/send']
  const token = await mintInvocation({ key: controller, audience: did, resource: `oracle:${did}`, abilities })
  const answer = await fetch(`${url}/auth/token`, { method: 'POST', headers: { authorization: `Bearer ${token}` } })
  if (answer.status !== 200) throw new Error(`No bearer was given: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { token: string }).token
}

const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~+/=']

/** Changes the text of a bearer or an API key in any way but none. */
export const mutateCredential = (credential: string, random: Random): string => {
  for (;;) {
    const at = random.integer(0, credential.length - 1)
    const mutated = random.pick([
      credential.slice(0, at) + random.pick(alphabet) + credential.slice(at + 1),
      credential.slice(0, at) + random.pick(alphabet) + credential.slice(at),
      credential.slice(0, at) + credential.slice(at + 1),
      credential.slice(0, at),
      credential.slice(at),
      credential + credential,
      `${credential}${random.pick(['=', '==', '.', '.x', '/', ',', ':*', '%00'])}`,
      `${random.pick(['sibyl_', 'x', '=', 'shop:'])}${credential}`,
      credential.toUpperCase(),
      credential.toLowerCase(),
      [...credential].reverse().join(''),
      credential.replace('sibyl_', random.pick(['', 'Sibyl_', 'sibyl-', 'sibyl__'])),
      Buffer.from(credential).toString('base64url'),
      encodeURIComponent(`${credential} `),
    ])
    if (mutated !== credential && mutated !== '') return mutated
  }
}
