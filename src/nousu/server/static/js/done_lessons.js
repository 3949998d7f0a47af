// Which lessons and problems are done is kept by the browser alone.
const KEY = "nousu-learn";

function kept() {
  try {
    const found = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return found && typeof found === "object" ? found : {};
  } catch {
    return {};
  }
}

export function done(course) {
  const { [course]: ids } = kept();
  return new Set(Array.isArray(ids) ? ids : []);
}

export function markDone(course, id) {
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...kept(), [course]: [...done(course).add(id)] }));
  } catch {
    // no room or no leave to keep anything: the lessons work without
  }
}
