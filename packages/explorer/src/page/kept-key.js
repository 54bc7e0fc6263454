const place = 'sibyl-explorer-key'

/**
 * The API key, kept until the tab is closed; in this page alone where the browser keeps nothing.
 *
 * @param {() => Storage} storage Gives the tab's storage, or throws.
 */
export const keptKey = storage => {
  let own = ''
  return {
    read() {
      try {
        return storage().getItem(place) ?? own
      } catch {
        return own
      }
    },
    /** @param {string} key */
    keep(key) {
      own = key
      try {
        storage().setItem(place, key)
      } catch {
        // It lives in this page then.
      }
    },
    forget() {
      own = ''
      try {
        storage().removeItem(place)
      } catch {
        // Nothing was kept.
      }
    },
  }
}
