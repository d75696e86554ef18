/** How orval's client sends and reads: its own reads every answer as JSON, and knows no other host. */

let accessToken: string | undefined;

/** From now on, requests have this token. */
export function signIn(token: string): void {
  accessToken = token;
}

async function bodyOf(response: Response): Promise<unknown> {
  const type = response.headers.get("Content-Type") ?? "";
  if (/\bjson\b/.test(type)) return response.json();
  return type.startsWith("text/") ? response.text() : response.blob();
}

export async function request<T>(path: string, options: RequestInit): Promise<T> {
  const headers = new Headers(options.headers);
  if (accessToken !== undefined) headers.set("Authorization", `Bearer ${accessToken}`);
  const response = await fetch(`${process.env.SDK_SERVER}${path}`, { ...options, headers });
  const { status, headers: received } = response;
  return { data: await bodyOf(response), status, headers: received } as T;
}
