/*
 * Test equipment, never shipped: preloaded into the unmodified application, it lets WebKitWebDriver drive the window.
 *
 * WebKitGTK lets a program be driven only when its context allows it and its view was made for it; neither can be
 * switched on from outside. So this library answers the one call with which the application makes its view, makes
 * that view drivable, and hands it over when a session begins.
 */
#include <webkit2/webkit2.h>

static WebKitWebView *the_view;

static WebKitWebView *on_create_web_view(WebKitAutomationSession *session, gpointer unused) {
    (void)session;
    (void)unused;
    return the_view;
}

static void on_automation_started(WebKitWebContext *context, WebKitAutomationSession *session, gpointer unused) {
    (void)context;
    (void)unused;
    WebKitApplicationInfo *about = webkit_application_info_new();
    webkit_application_info_set_name(about, "lathe");
    webkit_automation_session_set_application_info(session, about);
    webkit_application_info_unref(about);
    g_signal_connect(session, "create-web-view", G_CALLBACK(on_create_web_view), NULL);
}

GtkWidget *webkit_web_view_new_with_user_content_manager(WebKitUserContentManager *manager) {
    if (the_view == NULL) {
        WebKitWebContext *context = webkit_web_context_get_default();
        webkit_web_context_set_automation_allowed(context, TRUE);
        g_signal_connect(context, "automation-started", G_CALLBACK(on_automation_started), NULL);
    }
    the_view = g_object_new(WEBKIT_TYPE_WEB_VIEW, "is-controlled-by-automation", TRUE, "user-content-manager", manager,
                            NULL);
    return GTK_WIDGET(the_view);
}
