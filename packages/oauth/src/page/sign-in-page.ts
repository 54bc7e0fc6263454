import { escapeHtml } from '@sibyl/plugin'
import { pageFrame } from './page-frame.ts'
import { scopeText } from './scope-text.ts'

/** Facts that the user decides on. */
export interface SignInFacts {
  /** The name of the oracle. */
  readonly oracle: string
  /** The DID that invocations are addressed to. */
  readonly did: string
  readonly access: 'open' | 'delegated'
  readonly clientName: string
  /** The client ID, if it is the URL of a document; otherwise the client chose its name without proof. */
  readonly clientUrl: string | undefined
  /** Whether the client is the oracle's own console. */
  readonly isConsole: boolean
  /** Where the browser goes afterwards. */
  readonly redirectUri: string
  readonly scopes: readonly string[]
  /** The path of the resource, if the tokens are for a part of the oracle. */
  readonly path: string
}

/** Durations of a sign-in, in days. */
export const signInDays = [1, 7, 30, 90] as const

/** Returns the page on which a user signs in and consents. Its script signs with the key of the browser. */
export const signInPage = (facts: SignInFacts): string => {
  const { oracle, did, access, clientName, clientUrl, isConsole, redirectUri, scopes, path } = facts
  const scopeLines = scopes.map(
    scope =>
      `<li><label><input type="checkbox" name="scope" value="${escapeHtml(scope)}" checked> <span>${escapeHtml(scopeText(scope))} <code>${escapeHtml(scope)}</code></span></label></li>`,
  )
  const days = signInDays.map(
    count =>
      `<option value="${count}"${count === 30 ? ' selected' : ''}>${count} ${count === 1 ? 'day' : 'days'}</option>`,
  )
  return pageFrame(
    oracle,
    `Allow ${clientName}`,
    `<h1>Allow ${escapeHtml(clientName)} to act for you at ${escapeHtml(oracle)}?</h1>
<dl>
<dt>Application</dt><dd>${clientUrl === undefined ? `${escapeHtml(clientName)} <span class="quiet">(${isConsole ? 'part of this oracle' : 'not verified'})</span>` : `<code>${escapeHtml(clientUrl)}</code>`}</dd>
<dt>Returns to</dt><dd><code>${escapeHtml(placeOf(redirectUri))}</code></dd>
${path === '' ? '' : `<dt>Only at</dt><dd><code>${escapeHtml(path)}</code></dd>`}
</dl>
<noscript><p role="alert">Signing in needs JavaScript, because this browser holds your key.</p></noscript>
<form id="consent" data-did="${escapeHtml(did)}" data-access="${access}" hidden>
<fieldset>
<legend>It may</legend>
<ul>${scopeLines.join('')}</ul>
</fieldset>
<p><label for="days">For</label> <select id="days" name="days">${days.join('')}</select></p>
<section aria-labelledby="by-key">
<h2 id="by-key">Sign in with this browser</h2>
<p id="identity" class="quiet"></p>
<details id="delegated"${access === 'delegated' ? ' open' : ''}>
<summary>Delegation</summary>
<p class="quiet"><label for="delegation">${access === 'delegated' ? 'This oracle requires a delegation for the DID above. Paste it here.' : 'Only if this oracle requires one.'}</label></p>
<textarea id="delegation" rows="3" spellcheck="false" autocomplete="off"></textarea>
</details>
<button type="submit" id="allow" value="key">Allow with this browser's key</button>
</section>
<section aria-labelledby="by-code">
<h2 id="by-code">Or use a one-time code</h2>
<p class="quiet"><label for="code">A code from the operator: <code>sibyl sign-in code</code></label></p>
<input id="code" name="code" autocomplete="one-time-code" autocapitalize="characters" spellcheck="false" maxlength="30">
<button type="submit" id="allow-code" value="code" class="plain">Allow with the code</button>
</section>
<p><button type="button" id="deny" class="plain">Deny</button></p>
</form>
<p id="problem" role="alert"></p>
<script type="module" src="../page/page.js"></script>`,
    '..',
  )
}

/** Returns the part of a redirect URI that identifies who receives the response. */
const placeOf = (uri: string): string => {
  const { protocol, host } = new URL(uri)
  return host === '' ? protocol : `${protocol}//${host}`
}
