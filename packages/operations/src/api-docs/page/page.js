// What the page /docs does in a browser: shows the OpenAPI document, and lends the pasted bearer to the calls tried.
const byId = id => document.getElementById(id)
const base = new URL('.', location.href).href.replace(/\/$/, '')

const followScheme = () => {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  dark.addEventListener('change', follow)
  follow()
}

const readDocument = async () => {
  const response = await fetch(`${base}/openapi.json`)
  if (!response.ok) throw new Error(`it answered ${response.status}`)
  // Calls go to where this page comes from, by whatever name it was reached.
  return { ...(await response.json()), servers: [{ url: base }] }
}

// The page has the title of the document itself. A button holds no link: the address follows when the route is opened.
const ownHeadings = ({ React }) => ({
  components: {
    InfoContainer: () => null,
    DeepLink: ({ text }) => React.createElement('span', null, text),
  },
})

// Swagger UI goes from its first heading to the third level.
const levelHeadings = () => {
  for (const heading of document.querySelectorAll('h3.opblock-tag')) heading.setAttribute('aria-level', '2')
}

const show = spec =>
  new Promise(resolve => {
    const ui = SwaggerUIBundle({
      spec,
      domNode: byId('api'),
      deepLinking: true,
      tryItOutEnabled: true,
      displayRequestDuration: true,
      defaultModelsExpandDepth: 0,
      validatorUrl: null,
      plugins: [ownHeadings],
      onComplete: () => {
        levelHeadings()
        resolve(ui)
      },
    })
  })

const lendBearer = (ui, schemes) => {
  const [token, forget, state] = ['token', 'forget', 'state'].map(byId)
  const report = (text, inUse) => {
    token.value = ''
    forget.hidden = !inUse
    state.textContent = text
  }
  byId('access').addEventListener('submit', event => {
    event.preventDefault()
    const value = token.value.trim().replace(/^Bearer\s+/i, '')
    if (value === '') {
      report('Paste a bearer first.', !forget.hidden)
      token.focus()
      return
    }
    for (const scheme of schemes) ui.preauthorizeApiKey(scheme, value)
    report(
      `A bearer is in use, since ${new Date().toLocaleTimeString()}. Reload the page or forget it to drop it.`,
      true,
    )
  })
  forget.addEventListener('click', () => {
    ui.authActions.logout(schemes)
    report('None is in use.', false)
    token.focus()
  })
}

const start = async () => {
  followScheme()
  if (base !== 'http://localhost:3000') byId('command').append(` --url ${base}`)
  try {
    const spec = await readDocument()
    lendBearer(await show(spec), Object.keys(spec.components.securitySchemes))
  } catch (error) {
    const message = document.createElement('p')
    message.className = 'loading'
    message.setAttribute('role', 'alert')
    message.textContent = `The routes cannot be shown: ${error.message}. Reload the page to try again.`
    byId('api').replaceChildren(message)
  }
}

start()
