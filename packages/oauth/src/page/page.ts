import { browserKeyStore } from '@sibyl/client'
import { grantedAbilities, mintInvocation, narrowAbilities } from '@sibyl/identity/browser'

/** The ability of an invocation that is exchanged for tokens. */
const exchangeAbility = 'auth/token'
const storedDelegation = 'sibyl-delegation'

const find = <Kind extends HTMLElement>(id: string): Kind => {
  const found = document.getElementById(id)
  if (!found) throw new Error(`The page has no ${id}.`)
  return found as Kind
}

const form = find<HTMLFormElement>('consent')
const problem = find('problem')
const delegation = find<HTMLTextAreaElement>('delegation')
const did = form.dataset.did ?? ''
const address = location.pathname.replace(/\/+$/, '')
const keys = browserKeyStore()

const chosenScopes = (): string[] =>
  [...form.querySelectorAll<HTMLInputElement>('input[name=scope]:checked')].map(({ value }) => value)

/** Sends a decision, and goes where the oracle says. */
const send = async (path: string, body: object, headers: Record<string, string> = {}): Promise<void> => {
  const answer = await fetch(address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const content = (await answer.json()) as {
    readonly location?: string
    readonly detail?: string
    readonly title?: string
  }
  if (!answer.ok || content.location === undefined) {
    throw new Error(content.detail ?? content.title ?? 'The oracle rejected the sign-in.')
  }
  location.assign(content.location)
}

/** Signs an invocation with the key of the browser. */
const signInWithKey = async (scopes: readonly string[]): Promise<string> => {
  const key = await keys.open()
  const proof = delegation.value.replace(/\s+/g, '')
  const proofs = proof === '' ? [] : [proof]
  const resource = `oracle:${did}`
  const held = grantedAbilities(proofs, resource)
  if (proof !== '' && !narrowAbilities([exchangeAbility], held).includes(exchangeAbility)) {
    throw new Error('The delegation does not allow sign-ins here. It needs auth/token for this oracle.')
  }
  const abilities = proof === '' ? scopes : narrowAbilities(scopes, held)
  const token = await mintInvocation({
    key,
    audience: did,
    resource,
    abilities: [...new Set([exchangeAbility, ...abilities])],
    lifetimeSeconds: 60,
    proofs,
  })
  remember(proof)
  return token
}

const remember = (proof: string): void => {
  try {
    if (proof === '') localStorage.removeItem(storedDelegation)
    else localStorage.setItem(storedDelegation, proof)
  } catch {
    // Blocked storage: the user pastes it again.
  }
}

const recall = (): string => {
  try {
    return localStorage.getItem(storedDelegation) ?? ''
  } catch {
    return ''
  }
}

const buttons = () => form.querySelectorAll('button')

/** Runs a decision with the buttons disabled, and shows its failure. */
const decide = async (work: () => Promise<void>): Promise<void> => {
  problem.textContent = ''
  for (const button of buttons()) button.disabled = true
  try {
    await work()
  } catch (error) {
    problem.textContent = error instanceof Error ? error.message : String(error)
    for (const button of buttons()) button.disabled = false
    problem.scrollIntoView()
  }
}

form.addEventListener('submit', event => {
  event.preventDefault()
  const { submitter } = event as SubmitEvent
  const code = find<HTMLInputElement>('code').value.trim()
  const byCode = submitter?.id === 'allow-code' || (document.activeElement?.id === 'code' && code !== '')
  const body = { scopes: chosenScopes(), days: Number(find<HTMLSelectElement>('days').value) }
  void decide(async () => {
    if (body.scopes.length === 0) throw new Error('Choose what the application may do, or deny.')
    if (!byCode) {
      const token = await signInWithKey(body.scopes)
      return send('', body, { authorization: `Bearer ${token}` })
    }
    if (code === '') throw new Error('Enter the code.')
    return send('/code', { ...body, code })
  })
})

find('deny').addEventListener('click', () => void decide(() => send('/deny', {})))

delegation.value = recall()
form.hidden = false
keys.open().then(
  key => {
    find('identity').textContent = `You are ${key.did}`
  },
  (error: unknown) => {
    find('identity').textContent = error instanceof Error ? error.message : String(error)
  },
)
