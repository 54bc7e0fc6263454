/** Form of a response: the complete result of a resolution, or only the document, and its media type. */
export interface ResolutionForm {
  readonly part: 'result' | 'document'
  readonly contentType: string
}

const resultForm: ResolutionForm = { part: 'result', contentType: 'application/did-resolution' }

/** The profile of `application/ld+json` for the complete result in earlier drafts of the standard. */
const resultProfile = 'https://w3id.org/did-resolution'

const forms: Readonly<Record<string, ResolutionForm>> = {
  '*/*': resultForm,
  'application/*': resultForm,
  'application/did-resolution': resultForm,
  'application/json': { part: 'result', contentType: 'application/json' },
  'application/did': { part: 'document', contentType: 'application/did' },
  'application/did+json': { part: 'document', contentType: 'application/did+json' },
  'application/did+ld+json': { part: 'document', contentType: 'application/did+ld+json' },
}

/** Maximum length of `Accept`, in characters. */
const maxAccept = 1_000

/**
 * Chooses the form of a response by the `Accept` header (RFC 9110 §12.5.1): the form with the highest preference, the
 * first of several; the complete result without the header.
 *
 * @returns undefined if no acceptable form is available
 */
export const negotiate = (accept: string | undefined): ResolutionForm | undefined => {
  if (accept === undefined || accept.trim() === '') return resultForm
  const wanted = accept
    .slice(0, maxAccept)
    .split(',')
    .map(readRange)
    .filter(({ form, quality }) => form !== undefined && quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  return wanted[0]?.form
}

const readRange = (range: string): { readonly form: ResolutionForm | undefined; readonly quality: number } => {
  const [type = '', ...parameters] = range.split(';').map(part => part.trim())
  const values = new Map(
    parameters.map(parameter => {
      const at = parameter.indexOf('=')
      return [
        parameter.slice(0, at).trim().toLowerCase(),
        parameter
          .slice(at + 1)
          .trim()
          .replaceAll('"', ''),
      ]
    }),
  )
  const quality = Number(values.get('q') ?? 1)
  return {
    form: formOf(type.toLowerCase(), values.get('profile')),
    quality: Number.isFinite(quality) ? quality : 0,
  }
}

const formOf = (type: string, profile: string | undefined): ResolutionForm | undefined => {
  if (type !== 'application/ld+json') return Object.hasOwn(forms, type) ? forms[type] : undefined
  return profile === resultProfile
    ? { part: 'result', contentType: `application/ld+json;profile="${resultProfile}"` }
    : { part: 'document', contentType: 'application/did+ld+json' }
}
