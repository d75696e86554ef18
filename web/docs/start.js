/** Starts Swagger UI. A separate file, since the page's CSP forbids inline scripts. */
import { forReading } from "./document.js";
import { requestOf } from "./request.js";
import { keep, kept } from "./sign-in.js";
import { LANGUAGES } from "./snippets.js";

/** @typedef {any} System Swagger UI has no types of its own. */

const { SwaggerUIBundle } = /** @type {System} */ (globalThis);

/** Path prefix of the service: the page is at `<prefix>/docs`. */
const prefix = location.pathname.replace(/\/docs\/?$/, "");

/** The operation of a Swagger UI component. @param {System} system @param {System} props */
function sentBy({ specSelectors, oas3Selectors }, { path, method }) {
  const operation = specSelectors.specResolvedSubtree(["paths", path, method])?.toJS();
  if (operation?.responses === undefined) return undefined;
  const servers =
    specSelectors.specJson().getIn(["paths", path, "servers"]) ?? specSelectors.servers();
  const body = oas3Selectors.requestBodyValue(path, method);
  const fields = body
    ?.map?.((/** @type {System} */ field) => field?.get?.("value") ?? field)
    .toJS();
  return requestOf({
    ...{ operation, path, method },
    server: new URL(servers.getIn([0, "url"]), location.href).href,
    values: specSelectors.parameterValues([path, method]).toJS(),
    body: fields ?? body,
  });
}

/** Shows the code of a request above its answers. @param {System} system */
const snippets = (system) => ({
  wrapComponents: {
    responses: (/** @type {System} */ Original) => (/** @type {System} */ props) => {
      const { React } = system.getSystem();
      const { createElement: h } = React;
      const [language, choose] = React.useState("curl");
      const sent = sentBy(system.getSystem(), props);
      const names = Object.keys(LANGUAGES);
      const button = (/** @type {string} */ name) =>
        h(
          "button",
          {
            key: name,
            type: "button",
            "aria-pressed": name === language,
            onClick: () => choose(name),
          },
          name,
        );
      // @ts-expect-error a key of LANGUAGES
      const text = sent && LANGUAGES[language](sent);
      const copy = () => navigator.clipboard?.writeText(text);
      const shown =
        sent &&
        h(
          "section",
          { className: "request-lines", "aria-label": "The request as code" },
          h(
            "div",
            { className: "request-languages" },
            names.map(button),
            h("button", { type: "button", onClick: copy }, "Copy"),
          ),
          h("pre", { tabIndex: 0 }, h("code", null, text)),
        );
      return h(React.Fragment, null, shown, h(Original, props));
    },
  },
});

/** Path of the built-in flavours in the contract. */
const FLAVOURS = ["components", "schemas", "Flavour", "examples"];

/**
 * The parameters of an operation. Swagger UI computes them on each call, and each of a hundred rows calls on every
 * change, so the result is cached until the contract or the parameters change.
 *
 * @param {System} system
 */
function valuesOf(system) {
  /** @type {unknown[]} */
  let of = [];
  /** @type {Record<string, unknown>} */
  let values = {};
  return (/** @type {System} */ pathMethod) => {
    const { getState, specSelectors } = system.getSystem();
    const now = [getState().get("spec"), ...pathMethod];
    if (now.some((part, index) => part !== of[index])) {
      of = now;
      values = specSelectors.parameterValues(pathMethod).toJS();
    }
    return values;
  };
}

/** The filters of the selected flavour, and those with a value. @param {System} system */
const filters = (system, filledIn = valuesOf(system)) => ({
  wrapComponents: {
    parameterRow: (/** @type {System} */ Original) => (/** @type {System} */ props) => {
      const { React, specSelectors } = system.getSystem();
      const facets = props.rawParam?.get("x-facets");
      if (facets) {
        const values = filledIn(props.pathMethod);
        const known = specSelectors.specJson().getIn(FLAVOURS);
        const chosen = values["path.flavour"];
        // A user's flavour has its own names, and native ones for the rest.
        const isOther = chosen && !known.includes(chosen);
        const native = String(values["query.translate"]) === "false" || isOther;
        const flavour = native ? "native" : chosen;
        const empty = [values[`query.${props.rawParam.get("name")}`] ?? []].flat().length === 0;
        if (empty && flavour && !facets.has(flavour)) return null;
      }
      return React.createElement(Original, props);
    },
  },
});

const signIn = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        persistAuthorizationIfNeeded:
          (/** @type {System} */ _, /** @type {System} */ { authSelectors }) =>
          () =>
            keep(authSelectors.authorized().toJS()),
      },
    },
    spec: {
      wrapActions: {
        updateJsonSpec: (/** @type {System} */ original) => (/** @type {System} */ contract) =>
          original(contract?.components ? forReading(contract, prefix) : contract),
      },
    },
  },
});

const dark = matchMedia("(prefers-color-scheme: dark)");
const dress = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", dress);
dress();

const ui = SwaggerUIBundle({
  url: "openapi.json",
  dom_id: "#swagger-ui",
  deepLinking: true,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  presets: [SwaggerUIBundle.presets.apis],
  plugins: [snippets, filters, signIn],
  onComplete: () => ui.authActions.restoreAuthorization({ authorized: kept() }),
});
