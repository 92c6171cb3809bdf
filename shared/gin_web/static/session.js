// Keeps an active visitor signed in: the house signs the session anew, at most once a day and browser tab.
const KEY = "ginhall-session-shown";
const DAY = 24 * 60 * 60 * 1000;

try {
  if (Date.now() - Number(localStorage.getItem(KEY) ?? 0) > DAY) {
    localStorage.setItem(KEY, String(Date.now()));
    await fetch("/api/v1/accounts/me");
  }
} catch {
  // No storage, or the network is away: any page of the lobby renews the session as well.
}
