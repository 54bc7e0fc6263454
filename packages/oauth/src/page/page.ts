import { browserKeyStore } from '@sibyl/client'
import { grantedAbilities, mintInvocation, narrowAbilities } from '@sibyl/identity/browser'
import { type PhoneRequest, showPhoneRequest } from './phone-request.ts'

/** The ability of an invocation that is exchanged for tokens. */
const exchangeAbility = 'auth/token'
const storedDelegation = 'sibyl-delegation'

const find = <Kind extends HTMLElement>(id: string): Kind => {
  const found = document.getElementById(id)
  if (!found) throw new Error(`The page has no ${id}.`)
  return found as Kind
}

/** Texts of the page, in the language of the user. */
interface ScriptTexts extends Readonly<Record<'rejected' | 'delegation' | 'choose' | 'enterCode' | 'youAre', string>> {
  /** By the code of an error. */
  readonly problems: Readonly<Record<string, string>>
}

const form = find<HTMLFormElement>('consent')
const texts = JSON.parse(form.dataset.texts ?? '{}') as ScriptTexts
const problem = find('problem')
const delegation = find<HTMLTextAreaElement>('delegation')
const did = form.dataset.did ?? ''
const address = location.pathname.replace(/\/+$/, '')
const keys = browserKeyStore()

const chosenScopes = (): string[] =>
  [...form.querySelectorAll<HTMLInputElement>('input[name=scope]:checked')].map(({ value }) => value)

/** Posts JSON to a path below that of the page. */
const post = async <Answer>(path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> => {
  const answer = await fetch(address + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  const content =
    answer.status === 204 ? {} : ((await answer.json()) as { code?: string; detail?: string; title?: string })
  if (!answer.ok) {
    throw new Error(texts.problems[content.code ?? ''] ?? content.detail ?? content.title ?? texts.rejected)
  }
  return content as Answer
}

/** Sends a decision, and goes where the oracle says. */
const send = async (path: string, body: object, headers: Record<string, string> = {}): Promise<void> => {
  const { location: next } = await post<{ readonly location?: string }>(path, body, headers)
  if (next === undefined) throw new Error(texts.rejected)
  location.assign(next)
}

/** Interval in which the page asks whether the phone has signed, in milliseconds. */
const phoneIntervalMs = 2_000

/** Shows a QR code for the phone, and goes on once the phone has signed. */
const signInWithPhone = async (): Promise<void> => {
  problem.textContent = ''
  showPhoneRequest(await post<PhoneRequest>('/phone', chosen()), find)
  find('phone').hidden = true
  for (;;) {
    await new Promise(resolve => setTimeout(resolve, phoneIntervalMs))
    const { location: next } = await post<{ readonly location?: string }>('/phone/next', {})
    if (next !== undefined) return location.assign(next)
  }
}

/** Signs the sign-in of another browser. */
const signForOther = async (): Promise<void> => {
  const scopes = someScopes()
  const number = find<HTMLInputElement>('number').value
  await post('', { number, scopes }, { authorization: `Bearer ${await signInWithKey(scopes)}` })
  form.hidden = true
  find('done').hidden = false
}

/** Signs an invocation with the key of the browser. */
const signInWithKey = async (scopes: readonly string[]): Promise<string> => {
  const key = await keys.open()
  const proof = delegation.value.replace(/\s+/g, '')
  const proofs = proof === '' ? [] : [proof]
  const resource = `oracle:${did}`
  const held = grantedAbilities(proofs, resource)
  if (proof !== '' && !narrowAbilities([exchangeAbility], held).includes(exchangeAbility)) {
    throw new Error(texts.delegation)
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
    for (const button of buttons()) button.disabled = false
    showProblem(error)
  }
}

const showProblem = (error: unknown): void => {
  problem.textContent = error instanceof Error ? error.message : String(error)
  problem.scrollIntoView()
}

const isPhone = form.dataset.phone !== undefined

/** Returns the chosen scopes. Throws where nothing is chosen. */
const someScopes = (): string[] => {
  const scopes = chosenScopes()
  if (scopes.length === 0) throw new Error(texts.choose)
  return scopes
}

/** Returns the user's choice. Throws where nothing is chosen. */
const chosen = () => ({ scopes: someScopes(), days: Number(find<HTMLSelectElement>('days').value) })

form.addEventListener('submit', event => {
  event.preventDefault()
  if (isPhone) return void decide(signForOther)
  const { submitter } = event as SubmitEvent
  const code = find<HTMLInputElement>('code').value.trim()
  const byCode = submitter?.id === 'allow-code' || (document.activeElement?.id === 'code' && code !== '')
  return void decide(async () => {
    const body = chosen()
    if (!byCode) {
      const token = await signInWithKey(body.scopes)
      return send('', body, { authorization: `Bearer ${token}` })
    }
    if (code === '') throw new Error(texts.enterCode)
    return send('/code', { ...body, code })
  })
})

if (!isPhone) {
  find('deny').addEventListener('click', () => void decide(() => send('/deny', {})))
  find('phone').addEventListener(
    'click',
    () =>
      void signInWithPhone().catch(error => {
        find('phone').hidden = false
        find('phone-request').hidden = true
        showProblem(error)
      }),
  )
}

delegation.value = recall()
form.hidden = false
keys.open().then(
  key => {
    find('identity').textContent = `${texts.youAre} ${key.did}`
  },
  (error: unknown) => {
    find('identity').textContent = error instanceof Error ? error.message : String(error)
  },
)
