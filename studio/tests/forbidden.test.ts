import { afterEach, expect, test, vi } from "vitest";
import { carry } from "../src/wire/carrier";

const turn = () => new Promise((done) => setTimeout(done, 5));
afterEach(() => vi.unstubAllGlobals());

/** What a page hears of a server that closes its web socket, and answers a plain question so. */
async function heard(opens: boolean, status: number): Promise<string[]> {
  const told: string[] = [];
  const asked: string[] = [];
  let socket: { onopen?: () => void; onclose?: (event: { reason: string }) => void } = {};
  vi.stubGlobal(
    "WebSocket",
    class {
      constructor() {
        socket = this as typeof socket;
      }
    },
  );
  vi.stubGlobal("fetch", async (address: string) => {
    asked.push(address);
    return { status };
  });
  const says = (what: string) => () => told.push(what);
  const hears = { open: says("open"), message: says("message"), close: says("close"), forbidden: says("forbidden") };
  carry(hears, "ws://here:80/socket?token=1", 0, () => undefined);
  if (opens) socket.onopen?.();
  socket.onclose?.({ reason: "" });
  await turn();
  expect(asked).toEqual(opens ? [] : ["http://here:80/socket?token=1"]);
  return told;
}

test("an address without the right token is told from a server that is not there", async () => {
  expect(await heard(false, 403)).toEqual(["close", "forbidden"]);
  expect(await heard(false, 426)).toEqual(["close"]);
  expect(await heard(true, 403)).toEqual(["open", "close"]);
});
