// The API of one service at a time: that of the address, else the first.
/* global SwaggerUIBundle */
const services = [...document.querySelectorAll("[data-document]")];

function show() {
  const chosen = services.find((service) => service.hash === location.hash) ?? services[0];
  for (const service of services) {
    if (service === chosen) service.setAttribute("aria-current", "page");
    else service.removeAttribute("aria-current");
  }
  SwaggerUIBundle({ domNode: document.getElementById("documentation"), url: chosen.dataset.document, validatorUrl: null });
}

addEventListener("hashchange", show);
show();
